import { LayoutGrid, Rows2 } from 'lucide'
import { Link } from 'react-router'
import { Icon } from '#app/ui/icon.tsx'
import { type ListingQuery, listingSearch } from '#domain/listing.ts'
import type { ViewMode } from '#domain/preferences.ts'
import { saveView, useStoredView } from './listing-preferences.ts'
import './view-toggle.css'

const choices = [
  { view: 'card', label: 'Card view' },
  { view: 'list', label: 'List view' },
] as const

interface ViewToggleProps {
  query: ListingQuery
  /** The view that the address names, which outranks the stored preference. */
  named: ViewMode | undefined
}

/** Cards or rows: two links, so that it works without JavaScript; the choice is also kept for the next visit. */
export function ViewToggle({ query, named }: ViewToggleProps) {
  const stored = useStoredView()
  const current = named ?? stored
  return (
    <nav aria-label="View" className="view-toggle" data-view={named}>
      {choices.map(({ view, label }) => (
        <Link
          key={view}
          to={{ search: listingSearch({ ...query, view }) }}
          replace
          preventScrollReset
          onClick={() => saveView(view)}
          aria-label={label}
          title={label}
          aria-current={view === current ? 'true' : undefined}
          data-choice={view}
          data-asks-nothing=""
        >
          <Icon icon={view === 'card' ? LayoutGrid : Rows2} className="size-5" />
        </Link>
      ))}
    </nav>
  )
}
