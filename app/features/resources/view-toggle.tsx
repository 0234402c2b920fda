import './view-toggle.css'
import { LayoutGrid, Rows2 } from 'lucide'
import { Link } from 'react-router'
import { Icon } from '#app/ui/icon.tsx'
import { createStore, safeLocalStorage, useStore } from '#app/ui/store.ts'
import { type ListingQuery, listingSearch } from '#domain/listing.ts'
import {
  type PageSize,
  pageSizeFrom,
  preferenceKeys,
  type ViewMode,
  viewModeFrom,
} from '#domain/preferences.ts'

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

const storedView = createStore<ViewMode>('card', () =>
  viewModeFrom(safeLocalStorage.get(preferenceKeys.view)),
)

/** The view mode that this browser prefers; card until the page is hydrated. */
const useStoredView = (): ViewMode => useStore(storedView)

/** Keeps the view mode, and tells the style sheet, which follows `data-view` where the address names no view. */
const saveView = (view: ViewMode): void => {
  safeLocalStorage.set(preferenceKeys.view, view)
  document.documentElement.dataset.view = view
  storedView.set(view)
}

/** The page size that this browser prefers. */
export const storedSize = (): PageSize => pageSizeFrom(safeLocalStorage.get(preferenceKeys.size))

export const saveSize = (size: PageSize): void => void safeLocalStorage.set(preferenceKeys.size, String(size))
