import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { type Choices, disputed, proposedChoices, type Side, settle } from '#domain/resource-form/conflict.ts'
import type { FieldName, ResourceFields } from '#domain/resource-form/fields.ts'
import { fieldLabels } from './field-labels.ts'
import { FieldValue } from './field-value.tsx'
import './conflict-panel.css'

interface ConflictPanelProps {
  mine: ResourceFields
  theirs: ResourceFields
  /** How the form was loaded; null when that is not known any more. */
  before: ResourceFields | null
  onSave(settled: ResourceFields): void
  onKeepEditing(settled: ResourceFields): void
}

/** Two admins, one resource: both versions of what differs, side by side, and the choice of each. */
export function ConflictPanel({ mine, theirs, before, onSave, onKeepEditing }: ConflictPanelProps) {
  const [choices, setChoices] = useState<Choices>(() => proposedChoices(mine, theirs, before))
  const names = disputed(mine, theirs)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const chooseAll = (side: Side) => setChoices(Object.fromEntries(names.map((name) => [name, side])))
  const settled = settle(mine, theirs, choices)
  return (
    <section className="resource-conflict">
      <h2 ref={heading} tabIndex={-1} className="text-2xl outline-none">
        Somebody else changed this resource
      </h2>
      <p className="mt-3 text-muted">
        It was saved by somebody else while you were editing, so nothing of yours is saved yet. Choose what
        stays for each field that differs.
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
            versions={{ mine, theirs }}
            chosen={choices[name]}
            onChoose={(side) => setChoices({ ...choices, [name]: side })}
          />
        ))}
      </div>
      <div className="resource-save-bar">
        <Button onClick={() => onSave(settled)}>Save again</Button>
        <Button look="secondary" onClick={() => onKeepEditing(settled)}>
          Back to the form
        </Button>
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
            <FieldValue name={name} fields={versions[side]} />
          </label>
        ))}
      </div>
    </fieldset>
  )
}
