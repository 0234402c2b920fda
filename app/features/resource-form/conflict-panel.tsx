import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { articleText } from '#domain/article/text.ts'
import { durationLabel } from '#domain/duration.ts'
import { genderLabels } from '#domain/resource.ts'
import {
  type Choices,
  mergeFields,
  proposedChoices,
  type Side,
  settle,
  type Versions,
} from '#domain/resource-form/draft.ts'
import {
  changedFields,
  type FieldName,
  fieldLabels,
  type ResourceFields,
  secondsOf,
} from '#domain/resource-form/fields.ts'
import './conflict-panel.css'

interface ConflictPanelProps {
  versions: Versions
  onSave(settled: ResourceFields): void
  /** @param settled null: not all is chosen yet, so that it will be asked again */
  onKeepEditing(settled: ResourceFields | null): void
}

const lists = new Intl.ListFormat('en', { type: 'conjunction' })

/** Two admins, one resource: both versions of what differs, side by side, and the choice of each. */
export function ConflictPanel({ versions, onSave, onKeepEditing }: ConflictPanelProps) {
  const { conflicts, taken } = mergeFields(versions)
  const [choices, setChoices] = useState<Choices>(() => proposedChoices(taken))
  const names = changedFields(versions.mine, versions.theirs).filter(
    (name) => conflicts.includes(name) || taken.includes(name),
  )
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const chooseAll = (side: Side) => setChoices(Object.fromEntries(names.map((name) => [name, side])))
  const open = names.filter((name) => !choices[name]).map((name) => fieldLabels[name])
  const settled = settle(versions, choices)
  return (
    <section className="resource-conflict">
      <h2 ref={heading} tabIndex={-1} className="text-2xl outline-none">
        Somebody else changed this resource
      </h2>
      <p className="mt-3 text-muted">
        It was saved by somebody else while you were editing, so nothing of yours is saved yet. Choose what
        stays for each field that differs. What only they changed is chosen already.
      </p>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button look="secondary" onClick={() => chooseAll('mine')}>
          Keep all mine
        </Button>
        <Button look="secondary" onClick={() => chooseAll('theirs')}>
          Take all theirs
        </Button>
      </div>
      <div className="mt-8 space-y-8">
        {names.map((name) => (
          <Dispute
            key={name}
            name={name}
            versions={versions}
            chosen={choices[name]}
            onChoose={(side) => setChoices({ ...choices, [name]: side })}
          />
        ))}
      </div>
      <div className="resource-save-bar">
        <Button
          disabled={open.length > 0}
          aria-describedby="resource-still-to-choose"
          onClick={() => onSave(settled)}
        >
          Save again
        </Button>
        <Button look="secondary" onClick={() => onKeepEditing(open.length > 0 ? null : settled)}>
          Back to the form
        </Button>
        <p id="resource-still-to-choose" role="status" className="text-sm text-muted">
          {open.length > 0 && `Still to choose: ${lists.format(open)}.`}
        </p>
      </div>
    </section>
  )
}

interface DisputeProps {
  name: FieldName
  versions: Record<Side, ResourceFields>
  chosen: Side | undefined
  onChoose(side: Side): void
}

const sideLabels: Readonly<Record<Side, string>> = { mine: 'Keep mine', theirs: 'Take theirs' }

function Dispute({ name, versions, chosen, onChoose }: DisputeProps) {
  const group = useId()
  const shown = shownVersions(name, versions)
  return (
    <fieldset>
      <legend className="font-semibold">{fieldLabels[name]}</legend>
      <div className="mt-2 grid gap-3 sm:grid-cols-2">
        {(['mine', 'theirs'] as const).map((side) => (
          <label key={side} className="resource-version">
            <span className="flex items-center gap-3 font-semibold">
              <input
                type="radio"
                name={group}
                checked={chosen === side}
                onChange={() => onChoose(side)}
                className="size-5 shrink-0"
              />
              {sideLabels[side]}
            </span>
            <span className="block text-muted wrap-anywhere whitespace-pre-line">
              {shown[side] || <em>Empty</em>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Longer than that nobody compares two texts with their eyes. */
const SHOWN = 900
const BEFORE_THE_DIFFERENCE = 120

/** Both versions of a field in words; of long texts the part where they begin to differ. @param most how many letters */
export function shownVersions(
  name: FieldName,
  { mine, theirs }: Record<Side, ResourceFields>,
  most = SHOWN,
): Record<Side, string> {
  const words = { mine: inWords(name, mine), theirs: inWords(name, theirs) }
  // The words are the same, so it is the markup.
  if (words.mine === words.theirs && name === 'article') {
    return {
      mine: excerpt(mine.article, theirs.article, most),
      theirs: excerpt(theirs.article, mine.article, most),
    }
  }
  return { mine: excerpt(words.mine, words.theirs, most), theirs: excerpt(words.theirs, words.mine, most) }
}

function excerpt(text: string, other: string, most: number): string {
  if (text.length <= most) return text
  let same = 0
  while (same < text.length && text[same] === other[same]) same++
  const from = Math.max(0, Math.min(same - BEFORE_THE_DIFFERENCE, text.length - most))
  const part = text.slice(from, from + most)
  return `${from > 0 ? '…' : ''}${part}${from + most < text.length ? '…' : ''}`
}

/** One field of one version, in words. */
function inWords(name: FieldName, fields: ResourceFields): string {
  switch (name) {
    case 'public':
    case 'featured':
      return fields[name] ? 'Yes' : 'No'
    case 'article':
      return articleText(fields.article)
    case 'duration':
      return durationLabel(secondsOf(fields))
    case 'gender':
      return fields.gender ? genderLabels[fields.gender] : 'Not stated'
    default:
      return fields[name]
  }
}
