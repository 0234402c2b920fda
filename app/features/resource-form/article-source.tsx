import { useState } from 'react'
import { articleText } from '#domain/article/text.ts'
import { controlClass } from './control.tsx'

/** The stored HTML, for those who want to mend a word without the file. It is shown only when asked for: it can be long. */
export function ArticleSource({ html, onChange }: { html: string; onChange(html: string): void }) {
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
            className={controlClass('mt-1.5 font-mono text-sm')}
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
