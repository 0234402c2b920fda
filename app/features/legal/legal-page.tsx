import type { ReactNode } from 'react'
import { useSettings } from '#app/session/site.ts'
import { Page } from '#app/ui/page.tsx'
import { longDate } from '#domain/dates.ts'

/** One numbered part of a legal text. */
export interface Clause {
  /** For links to this part; never changes once published. */
  id: string
  title: string
  body: ReactNode
}

interface LegalPageProps {
  title: string
  /** yyyy-mm-dd */
  updated: string
  /** What it comes down to, before the clauses. */
  summary: ReactNode
  clauses: readonly Clause[]
}

/** A legal text that is meant to be read: what it comes down to first, contents beside the text, short clauses. */
export function LegalPage({ title, updated, summary, clauses }: LegalPageProps) {
  return (
    <Page>
      <header className="max-w-3xl">
        <h1 className="text-title">{title}</h1>
        <p className="mt-3 text-muted">
          Last updated <time dateTime={updated}>{longDate(updated)}</time>
        </p>
      </header>
      <div className="mt-10 grid gap-x-16 gap-y-10 lg:grid-cols-[16rem_minmax(0,1fr)]">
        <Contents clauses={clauses} />
        <div className="max-w-[37rem]">
          <div className="space-y-3 border-s-4 border-brand ps-6 font-serif text-xl leading-relaxed">
            {summary}
          </div>
          {clauses.map(({ id, title: name, body }, index) => (
            <section key={id} aria-labelledby={id} className="mt-12">
              <h2 id={id} className="text-2xl">
                <span className="me-2 text-muted tabular-nums">{index + 1}.</span>
                {name}
              </h2>
              <div className="legal-text mt-3 space-y-4">{body}</div>
            </section>
          ))}
        </div>
      </div>
    </Page>
  )
}

function Contents({ clauses }: { clauses: readonly Clause[] }) {
  return (
    <nav aria-labelledby="contents" className="lg:sticky lg:top-24 lg:self-start print:hidden">
      <h2 id="contents" className="font-sans text-base font-semibold tracking-normal">
        On this page
      </h2>
      <ol className="mt-2 columns-1 border-t border-line pt-2 sm:columns-2 lg:columns-1">
        {clauses.map(({ id, title }) => (
          <li key={id} className="break-inside-avoid">
            <a
              href={`#${id}`}
              className="inline-block py-1.5 text-base pointer-coarse:py-3 leading-snug text-muted underline-offset-4 hover:text-accent hover:underline"
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** The contact address, as a link that writes to it. */
export function ContactLink() {
  const { contactEmail } = useSettings()
  return <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
}
