import type { ReactNode } from 'react'
import { ButtonLink, classes } from './button.tsx'

/** The measure that header, pages and footer share. */
export const containerClass = 'mx-auto w-full max-w-6xl px-5 sm:px-8'

/** The body of a page: the shared measure and the air above and below. */
export function Page({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={classes(containerClass, 'pt-8 pb-20 md:pt-14 md:pb-28', className)}>{children}</div>
}

/** The one heading of a page, what it is about in a sentence, and what stands beside it on wide screens. */
export function PageHeading({
  title,
  blurb,
  children,
}: {
  title: ReactNode
  blurb?: ReactNode
  children?: ReactNode
}) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-10 gap-y-5">
      <div className="max-w-2xl">
        <h1 className="text-title">{title}</h1>
        {blurb && <p className="mt-3 text-lg text-muted">{blurb}</p>}
      </div>
      {children}
    </header>
  )
}

/** A page that has only one thing to say: a heading, some words, and what can be done now. */
export function Notice({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className="max-w-2xl border-s-4 border-brand py-1 ps-6 sm:ps-8">
      <h1 className="text-title">{title}</h1>
      <div className="mt-4 space-y-5 text-lg text-muted">{children}</div>
    </div>
  )
}

/** error: something failed, said at once. danger: the same in red, for admins. success: something worked. note: good to know, not announced. */
export type BannerTone = 'error' | 'danger' | 'success' | 'note'

const looks: Readonly<Record<BannerTone, string>> = {
  error: 'border-brand bg-tint text-warning',
  danger: 'border-danger bg-danger-tint text-danger',
  success: 'border-success bg-success-tint text-success',
  note: 'border-line bg-sunken text-ink',
}
const roles = { error: 'alert', danger: 'alert', success: 'status', note: undefined } as const

/**
 * A message across the page: orange for errors, red where an admin's work failed, green for success (specification,
 * section 8).
 * Screen readers announce errors and successes when they appear.
 */
export function Banner({
  tone,
  className,
  children,
}: {
  tone: BannerTone
  className?: string
  children: ReactNode
}) {
  return (
    <div
      role={roles[tone]}
      className={classes(
        'flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg border border-s-4 px-5 py-3.5',
        looks[tone],
        className,
      )}
    >
      {children}
    </div>
  )
}

interface PageLinksProps {
  /** What is paged, for screen readers. */
  label: string
  /** From 1. */
  page: number
  pages: number
  /** The address of a page. */
  to(page: number): string
  /** The id of the list's heading, which can take the focus: a page is read from its beginning. */
  heading: string
}

/** The way to the pages before and after this one of a short list; nothing where there is only one. */
export function PageLinks({ label, page, pages, to, heading }: PageLinksProps) {
  if (pages < 2) return null
  // What is pressed is gone on the last page, and the focus with it.
  const goToBeginning = () => document.getElementById(heading)?.focus()
  return (
    <nav aria-label={label} className="mt-5 flex flex-wrap items-center gap-4">
      {page > 1 && (
        <ButtonLink to={to(page - 1)} look="secondary" preventScrollReset onClick={goToBeginning}>
          Previous
        </ButtonLink>
      )}
      <span role="status" className="text-muted tabular-nums">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <ButtonLink to={to(page + 1)} look="secondary" preventScrollReset onClick={goToBeginning}>
          Next
        </ButtonLink>
      )}
    </nav>
  )
}
