import { type ReactNode, useEffect } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { changeListing, type ListingQuery, listingSearch, parseListing } from '#domain/listing.ts'
import type { ViewMode } from '#domain/preferences.ts'
import type { ResourceSummary } from '#domain/resource.ts'
import { closeFilterPopup, FilterPopup } from './filter-popup.tsx'
import type { FoundPage } from './find-listing.ts'
import { NothingMatches } from './listing-notices.tsx'
import { storedSize } from './listing-preferences.ts'
import { PageSizeSelect } from './page-size-select.tsx'
import { Pagination } from './pagination.tsx'
import { ResourceList } from './resource-list.tsx'
import { ResultsSummary } from './results-summary.tsx'
import { SearchBox } from './search-box.tsx'
import { useListingForm } from './use-listing-form.ts'
import { ViewToggle } from './view-toggle.tsx'
import './listing.css'

interface ListingProps {
  query: ListingQuery
  found: FoundPage
  locations: readonly string[]
  /** The view that the address names; undefined leaves it to the reader's preference. */
  namedView: ViewMode | undefined
  actions: (resource: ResourceSummary) => ReactNode
  corner?: (resource: ResourceSummary) => ReactNode
}

const formId = 'listing'

/** A listing with its search, filters, layouts and pages (specification, section 2). */
export function Listing({ query, found, locations, namedView, actions, corner }: ListingProps) {
  const { form, onChange, onSubmit } = useListingForm(query)
  const isBusy = useListingIsLoading()
  usePreferredSize()
  return (
    <>
      <search>
        <form
          id={formId}
          ref={form}
          className="mt-8 flex flex-wrap items-center gap-3"
          onChange={onChange}
          onSubmit={(event) => {
            closeFilterPopup()
            onSubmit(event)
          }}
        >
          <SearchBox query={query} />
          <FilterPopup query={query} locations={locations} found={found} />
          <ViewToggle query={query} named={namedView} />
          {namedView && <input type="hidden" name="view" value={namedView} />}
        </form>
      </search>
      <section aria-label="Results" aria-busy={isBusy} className="listing-results mt-5">
        <ResultsSummary query={query} found={found} />
        <div className="mt-5">
          {found.total === 0 ? (
            <NothingMatches query={query} />
          ) : (
            <ResourceList resources={found.resources} view={namedView} actions={actions} corner={corner} />
          )}
        </div>
      </section>
      <div className="mt-14 flex flex-wrap items-center justify-between gap-x-8 gap-y-5 border-t border-line pt-5">
        <Pagination query={query} page={found.page} pages={found.pages} />
        <PageSizeSelect size={query.size} form={formId} onChange={onChange} />
      </div>
    </>
  )
}

/** Whether another page of this listing is on its way; the one that is there stays until then. */
function useListingIsLoading(): boolean {
  const { location } = useNavigation()
  const { pathname } = useLocation()
  return location?.pathname === pathname
}

/** Where the address names no page size, the reader's preference takes its place. */
function usePreferredSize(): void {
  const navigate = useNavigate()
  const { search } = useLocation()
  useEffect(() => {
    const address = new URLSearchParams(search)
    const query = parseListing(address)
    const size = storedSize()
    if (address.has('size') || size === query.size) return
    const preferred = listingSearch(changeListing(query, { size }))
    navigate({ search: preferred }, { replace: true, preventScrollReset: true })
  }, [search, navigate])
}
