import { type ChangeEvent, useState } from 'react'
import { useAlert } from '#app/ui/alert-dialog.tsx'
import { Banner } from '#app/ui/banner.tsx'
import { Button } from '#app/ui/button.tsx'
import { useConfirm } from '#app/ui/confirm-dialog.tsx'
import { encodingMessages, losesCharacters } from '#domain/article/encoding.ts'
import { ArticleSource } from './article-source.tsx'
import { FileButton } from './file-button.tsx'
import { readArticle } from './read-article.ts'
import type { ResourceFormApi } from './use-resource-form.ts'

/** The body of a reading: from a file, shown, replaced or cleared. */
export function ArticleControl({ form }: { form: ResourceFormApi }) {
  const [ask, confirmation] = useConfirm()
  const [alert, alertDialog] = useAlert()
  const [notes, setNotes] = useState<readonly string[]>([])
  const [isReading, setReading] = useState(false)
  const { article } = form.fields

  const upload = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    if (!file) return
    setReading(true)
    const result = await readArticle(file, form.fields)
    setReading(false)
    // The same file can be chosen again, for example after it was mended.
    target.value = ''
    if ('failure' in result) return alert(result.failure)
    form.set(result.change)
    setNotes(result.notes)
  }
  const clear = async () => {
    if (!(await ask(clearing))) return
    form.set({ article: '' })
    setNotes([])
  }
  return (
    <section aria-labelledby="resource-article-title" className="space-y-4">
      <h3 id="resource-article-title" className="font-sans text-base font-semibold">
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
        if it has them.
      </p>
      {losesCharacters(article) && <Banner tone="error">{encodingMessages.lossy}</Banner>}
      <ImportNotes notes={notes} />
      <ArticleSource html={article} onChange={(html) => form.set({ article: html })} />
      {confirmation}
      {alertDialog}
    </section>
  )
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
