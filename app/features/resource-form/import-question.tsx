import { type ReactNode, useId, useRef, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog, usePromiseDialog } from '#app/ui/dialog.tsx'
import { fieldLabels, type ResourceFields } from '#domain/resource-form/fields.ts'
import {
  type ImportedFields,
  type ReplaceableName,
  replaceableNames,
} from '#domain/resource-form/imported.ts'
import { shownVersions } from './conflict-panel.tsx'

interface Question {
  fileName: string
  fields: ResourceFields
  replaces: ImportedFields['replaces']
}

/** Letters of each version. */
const SHOWN = 240

/** null: nothing at all. */
type Taken = readonly ReplaceableName[] | null

/** Asks which parts of a file are to take the place of what is there: `await ask({ … })`. The second part is the dialog. */
export function useImportQuestion(): [ask: (question: Question) => Promise<Taken>, dialog: ReactNode] {
  const { ask, question, answer } = usePromiseDialog<Question, Taken>(null)
  return [ask, question && <ImportQuestion {...question} onAnswer={answer} />]
}

function ImportQuestion({
  fileName,
  fields,
  replaces,
  onAnswer,
}: Question & { onAnswer(taken: Taken): void }) {
  const names = replaceableNames.filter((name) => name in replaces)
  const id = useId()
  const answered = useRef<Taken>(null)
  const [taken, setTaken] = useState<readonly ReplaceableName[]>(names.filter((name) => name === 'article'))
  const toggle = (name: ReplaceableName, isTaken: boolean) =>
    setTaken(names.filter((each) => (each === name ? isTaken : taken.includes(each))))
  return (
    <Dialog
      isAlert
      labelledBy={`${id}-title`}
      describedBy={`${id}-body`}
      className="import-question"
      onClosed={() => onAnswer(answered.current)}
    >
      {(close) => (
        <>
          <h2 id={`${id}-title`} className="text-2xl wrap-anywhere">
            What to take from “{fileName}”?
          </h2>
          <p id={`${id}-body`} className="mt-3 text-muted">
            {!names.includes('article') && 'The text of the file goes into the form. '}
            Where the form has something already, only what you choose is replaced; you can undo it.
          </p>
          <div className="mt-5 space-y-4">
            {names.map((name) => (
              <Replacement
                key={name}
                name={name}
                versions={shownVersions(name, { mine: fields, theirs: { ...fields, ...replaces } }, SHOWN)}
                isTaken={taken.includes(name)}
                onToggle={(is) => toggle(name, is)}
              />
            ))}
          </div>
          <div className="mt-6 flex flex-wrap gap-3">
            <Button
              onClick={() => {
                answered.current = taken
                close()
              }}
            >
              Use the file
            </Button>
            <Button look="secondary" onClick={close}>
              Cancel
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}

interface ReplacementProps {
  name: ReplaceableName
  /** Mine is what the form has, theirs what the file brings. */
  versions: { mine: string; theirs: string }
  isTaken: boolean
  onToggle(isTaken: boolean): void
}

const Replacement = ({ name, versions, isTaken, onToggle }: ReplacementProps) => (
  <label className="resource-version">
    <span className="flex items-center gap-3 font-semibold">
      <input
        type="checkbox"
        checked={isTaken}
        onChange={({ target }) => onToggle(target.checked)}
        className="size-5 shrink-0"
      />
      {name === 'duration'
        ? 'Follow the length of the text'
        : `Replace the ${fieldLabels[name].toLowerCase()}`}
    </span>
    <span className="import-versions">
      <span className="font-semibold">Now</span>
      <span>{versions.mine}</span>
      <span className="font-semibold">File</span>
      <span>{versions.theirs}</span>
    </span>
  </label>
)
