import { ChevronLeft, ChevronRight } from 'lucide'
import type { ChangeEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { type ListingQuery, listingSearch, paginationWindow } from '#domain/listing.ts'
import { type PageSize, pageSizes } from '#domain/preferences.ts'

interface PaginationProps {
  query: ListingQuery
  page: number
  pages: number
}

/** Previous, up to five pages, next: links, so that they work without JavaScript. Nothing where there is one page. */
export function Pagination({ query, page, pages }: PaginationProps) {
  if (pages <= 1) return null
  const to = (target: number) => ({ search: listingSearch({ ...query, page: target }) })
  return (
    <nav aria-label="Pages" className="flex items-center gap-1">
      <Step rel="prev" label="Previous page" to={page > 1 ? to(page - 1) : null}>
        <Icon icon={ChevronLeft} className="size-5" />
      </Step>
      {paginationWindow(page, pages).map((number) => (
        <Link
          key={number}
          to={to(number)}
          prefetch="intent"
          aria-label={`Page ${number}`}
          aria-current={number === page ? 'page' : undefined}
          className={`${target} font-semibold tabular-nums ${number === page ? 'bg-accent text-on-accent' : 'hover:bg-tint hover:text-accent'}`}
        >
          {number}
        </Link>
      ))}
      <Step rel="next" label="Next page" to={page < pages ? to(page + 1) : null}>
        <Icon icon={ChevronRight} className="size-5" />
      </Step>
    </nav>
  )
}

const target = 'grid size-11 place-items-center rounded-full no-underline'

interface StepProps {
  rel: 'prev' | 'next'
  label: string
  /** Null at the end of the way, where the sign stays but leads nowhere. */
  to: { search: string } | null
  children: ReactNode
}

function Step({ rel, label, to, children }: StepProps) {
  if (!to) return <span className={`${target} text-muted opacity-40`}>{children}</span>
  return (
    <Link
      to={to}
      rel={rel}
      aria-label={label}
      title={label}
      prefetch="intent"
      className={`${target} hover:bg-tint hover:text-accent`}
    >
      {children}
    </Link>
  )
}

interface PageSizeSelectProps {
  size: PageSize
  /** The id of the listing's form, which stands further up the page. */
  form: string
  onChange(event: ChangeEvent<HTMLElement>): void
}

/** How many resources a page shows. */
export function PageSizeSelect({ size, form, onChange }: PageSizeSelectProps) {
  return (
    <div className="ms-auto flex items-center gap-3">
      <label className="flex items-center gap-3 text-base text-muted">
        Per page
        <select
          name="size"
          form={form}
          defaultValue={size}
          onChange={onChange}
          className="h-11 rounded-lg border border-edge bg-surface px-3 text-ink"
        >
          {pageSizes.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      </label>
      <noscript>
        <button type="submit" form={form} className={buttonClass('secondary')}>
          Apply
        </button>
      </noscript>
    </div>
  )
}
