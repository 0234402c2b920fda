import { ButtonLink } from './button.tsx'

interface PageLinksProps {
  /** What is paged, for screen readers. */
  label: string
  /** From 1. */
  page: number
  pages: number
  /** The address of a page. */
  to(page: number): string
}

/** The way to the pages before and after this one of a short list; nothing where there is only one. */
export function PageLinks({ label, page, pages, to }: PageLinksProps) {
  if (pages < 2) return null
  return (
    <nav aria-label={label} className="mt-5 flex flex-wrap items-center gap-4">
      {page > 1 && (
        <ButtonLink to={to(page - 1)} look="secondary" preventScrollReset>
          Previous
        </ButtonLink>
      )}
      <span role="status" className="text-muted tabular-nums">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <ButtonLink to={to(page + 1)} look="secondary" preventScrollReset>
          Next
        </ButtonLink>
      )}
    </nav>
  )
}
