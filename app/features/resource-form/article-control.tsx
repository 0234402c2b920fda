import { type ChangeEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Button, buttonClass } from '#app/ui/button.tsx'
import { Dialog, useAlert, useConfirm, usePromiseDialog } from '#app/ui/forms/dialog.tsx'
import { fieldClass } from '#app/ui/forms/field.tsx'
import { Banner } from '#app/ui/page.tsx'
import { toast } from '#app/ui/toast.tsx'
import { encodingMessages, losesCharacters } from '#domain/article/encoding.ts'
import { articleText } from '#domain/article/text.ts'
import type { ImportedArticle } from '#domain/import/import-article.ts'
import {
  type ImportedFields,
  importedFields,
  type ReplaceableName,
  replaceableNames,
} from '#domain/resource-form/draft.ts'
import { type FieldName, fieldLabels, type ResourceFields } from '#domain/resource-form/fields.ts'
import { shownVersions } from './conflict-panel.tsx'
import type { ResourceFormApi } from './use-resource-form.ts'

/** The body of a reading: from a file, shown, replaced or cleared. */
export function ArticleControl({ form }: { form: ResourceFormApi }) {
  const [askToClear, confirmation] = useConfirm()
  const [askWhatToTake, importQuestion] = useImportQuestion()
  const [alert, alertDialog] = useAlert()
  const [notes, setNotes] = useState<readonly string[]>([])
  const [isReading, setReading] = useState(false)
  const { article } = form.fields

  /** Changes fields so that it can be undone. */
  const replace = (change: Partial<ResourceFields>, message: string) => {
    const before = form.fields
    form.set(change)
    toast(message, { label: 'Undo', run: () => undo(form, before, change) })
  }
  const upload = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    if (!file) return
    setReading(true)
    const found = await readArticle(file)
    setReading(false)
    // The same file can be chosen again, for example after it was mended.
    target.value = ''
    if ('failure' in found) return alert(found.failure)
    const { fills, replaces } = importedFields(found, form.fields)
    if (Object.keys(replaces).length === 0) form.set(fills)
    else {
      const taken = await askWhatToTake({ fileName: file.name, fields: form.fields, replaces })
      if (!taken) return
      const chosen = Object.fromEntries(taken.map((name) => [name, replaces[name]]))
      replace({ ...fills, ...chosen }, `“${file.name}” is in the form.`)
    }
    setNotes(found.notes)
  }
  const clear = async () => {
    if (!(await askToClear(clearing))) return
    replace({ article: '' }, 'The article is cleared.')
    setNotes([])
  }
  return (
    <section aria-labelledby="resource-article-title" className="space-y-4">
      <h3
        id="resource-article-title"
        tabIndex={-1}
        className="outline-none font-sans text-base font-semibold"
      >
        Article
      </h3>
      {form.isUndecodable && !article && <Banner tone="error">{encodingMessages.undecodable}</Banner>}
      <div className="flex flex-wrap items-center gap-3">
        <FileButton
          label={article ? 'Replace with another file' : 'Upload HTML or Word file'}
          accept=".html,.htm,.xhtml,.docx,text/html"
          isBusy={isReading}
          describedBy="resource-article-hint"
          onChange={upload}
        />
        {article && (
          <Button look="quiet" onClick={clear}>
            Clear article
          </Button>
        )}
      </div>
      <p id="resource-article-hint" className="text-sm text-muted">
        An HTML file, as Word exports it, or a .docx document. It fills in the title and the description too,
        if it has them; you are asked before it replaces anything.
      </p>
      {losesCharacters(article) && <Banner tone="error">{encodingMessages.lossy}</Banner>}
      <ImportNotes notes={notes} />
      <ArticleSource html={article} onChange={(html) => form.set({ article: html })} />
      {confirmation}
      {importQuestion}
      {alertDialog}
    </section>
  )
}

/** What was changed since, by hand or otherwise, stays. */
function undo(form: ResourceFormApi, before: ResourceFields, change: Partial<ResourceFields>): void {
  toast('')
  form.set((now) => {
    const names = Object.keys(change) as FieldName[]
    const untouched = names.filter((name) => now[name] === change[name])
    return Object.fromEntries(untouched.map((name) => [name, before[name]]))
  })
  document.getElementById('resource-article-title')?.focus()
}

const clearing = {
  title: 'Clear the article?',
  body: 'The whole text goes from this form. What is stored stays until you save.',
  confirmLabel: 'Clear article',
  tone: 'danger',
} as const

/** What did not come through, in plain words. */
const ImportNotes = ({ notes }: { notes: readonly string[] }) => (
  <div role="status">
    {notes.length > 0 && (
      <Banner tone="note">
        <div>
          <p className="font-semibold">Good to know about this file</p>
          <ul className="mt-1 list-disc space-y-1 ps-5">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </div>
      </Banner>
    )}
  </div>
)

interface FileButtonProps {
  label: string
  accept: string
  isBusy: boolean
  describedBy: string
  onChange(event: ChangeEvent<HTMLInputElement>): void
}

/** The browser's own choice of a file, in the shape of our buttons. */
const FileButton = ({ label, accept, isBusy, describedBy, onChange }: FileButtonProps) => (
  <label
    className={buttonClass(
      'secondary',
      'cursor-pointer hover:border-accent hover:text-accent has-focus-visible:outline-3 has-focus-visible:outline-offset-3 has-focus-visible:outline-accent has-disabled:cursor-wait has-disabled:opacity-60',
    )}
  >
    {isBusy ? 'Reading the file...' : label}
    <input
      type="file"
      accept={accept}
      disabled={isBusy}
      aria-describedby={describedBy}
      onChange={onChange}
      className="sr-only"
    />
  </label>
)

/** The stored HTML, for those who want to mend a word without the file. It is shown only when asked for: it can be long. */
function ArticleSource({ html, onChange }: { html: string; onChange(html: string): void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="rounded-lg border border-line bg-sunken px-4 py-2"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="min-h-11 cursor-pointer content-center">
        {html.trim() ? `Article text (${countWords(html)})` : 'This article does not have any content yet.'}
      </summary>
      {isOpen && (
        <div className="pt-1 pb-3">
          <label htmlFor="resource-article" className="text-sm text-muted">
            Article HTML
          </label>
          <textarea
            id="resource-article"
            value={html}
            onChange={({ target }) => onChange(target.value)}
            spellCheck={false}
            rows={14}
            className={fieldClass('mt-1.5 py-2.5 font-mono text-sm')}
          />
        </div>
      )}
    </details>
  )
}

function countWords(html: string): string {
  const words = articleText(html).split(' ').filter(Boolean).length
  return words === 1 ? '1 word' : `${words.toLocaleString('en')} words`
}

/** Reads a file as an article, or says why that is not possible (specification, section 8). */
async function readArticle(file: File): Promise<ImportedArticle | { failure: string }> {
  try {
    // Word import is large, and most visits to the form need none.
    const { importArticleFile } = await import('#domain/import/import-article.ts')
    return await importArticleFile(file)
  } catch (error) {
    const isOurs = error instanceof Error && error.name === 'ImportError'
    return { failure: isOurs ? error.message : 'Error reading file' }
  }
}

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
function useImportQuestion(): [ask: (question: Question) => Promise<Taken>, dialog: ReactNode] {
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
