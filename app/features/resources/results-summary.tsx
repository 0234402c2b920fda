import { X } from 'lucide'
import { Link } from 'react-router'
import { Icon } from '#app/ui/icon.tsx'
import { changeListing, type ListingQuery, listingSearch } from '#domain/listing.ts'
import { activeFilters } from './active-filters.ts'
import type { FoundPage } from './find-listing.ts'
import { howMany } from './how-many.ts'

/** How many were found, said aloud when it changes, and the filters that are set, each with a way to take it back. */
export function ResultsSummary({ query, found }: { query: ListingQuery; found: FoundPage }) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1">
      <p role="status" className="text-muted tabular-nums">
        {howMany(found)} found
      </p>
      <ul className="flex flex-wrap gap-2">
        {activeFilters(query).map(({ label, without }) => (
          <li key={label}>
            <Link
              to={{ search: listingSearch(changeListing(query, without)) }}
              preventScrollReset
              aria-label={`Remove filter ${label}`}
              className="inline-flex min-h-9 items-center gap-1.5 rounded-full bg-tint ps-3.5 pe-2.5 text-sm font-semibold text-warning no-underline hover:underline"
            >
              {label}
              <Icon icon={X} className="size-4" />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
