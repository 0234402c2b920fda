import { ButtonLink } from './button.tsx'

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
