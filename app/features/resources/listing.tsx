import './listing.css'
import { Search, X } from 'lucide'
import { type ChangeEvent, type ReactNode, type RefObject, type SubmitEvent, useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate, useNavigation } from 'react-router'
import { useDebounce } from '#app/ui/debounce.ts'
import { Icon } from '#app/ui/icon.tsx'
import { changeListing, type ListingQuery, listingSearch, parseListing } from '#domain/listing.ts'
import { pageSizeFrom, type ViewMode } from '#domain/preferences.ts'
import { listingTexts, type ResourceSummary } from '#domain/resource.ts'
import { activeFilters, closeFilterPopup, countLabel, FilterPopup } from './filters.tsx'
import type { FoundPage } from './find-listing.ts'
import { NothingMatches } from './notices.tsx'
import { PageSizeSelect, Pagination } from './pagination.tsx'
import { ResourceList } from './resource-list.tsx'
import { saveSize, storedSize, ViewToggle } from './view-toggle.tsx'

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
    void navigate({ search: preferred }, { replace: true, preventScrollReset: true })
  }, [search, navigate])
}

/** How many were found, said aloud when it changes, and the filters that are set, each with a way to take it back. */
function ResultsSummary({ query, found }: { query: ListingQuery; found: FoundPage }) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1">
      <p role="status" className="text-muted tabular-nums">
        {countLabel(found)} found
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

/** The search field; the icon is its button, for those who do not wait and for pages without JavaScript. */
function SearchBox({ query: { q, category } }: { query: ListingQuery }) {
  return (
    <div className="relative min-w-0 grow basis-72">
      <input
        type="search"
        name="q"
        defaultValue={q}
        aria-label={`Search ${listingTexts[category ?? 'all'].title}`}
        placeholder="Search titles and descriptions"
        autoComplete="off"
        enterKeyHint="search"
        className="h-12 w-full rounded-full border border-edge bg-surface ps-12 pe-5 text-base placeholder:text-muted"
      />
      <button
        type="submit"
        aria-label="Search"
        className="absolute inset-y-0 start-0 grid w-12 cursor-pointer place-items-center rounded-full text-muted hover:text-accent"
      >
        <Icon icon={Search} className="size-5" />
      </button>
    </div>
  )
}

/** How long a reader may pause while typing before the search begins (specification, section 9). */
const SEARCH_DELAY_MS = 300

/** The listing's form: its fields are the one source of the next address, so no change can undo another. */
interface ListingForm {
  form: RefObject<HTMLFormElement | null>
  /** For every field, also those outside of the form's element. */
  onChange(event: ChangeEvent<HTMLElement>): void
  onSubmit(event: SubmitEvent<HTMLFormElement>): void
}

/**
 * Turns changes of the form into addresses: a search after a pause and in place of the history entry, anything else at
 * once. The page is no field, so every change goes back to page 1. Without JavaScript the form is an ordinary one.
 */
function useListingForm(query: ListingQuery): ListingForm {
  const form = useRef<HTMLFormElement>(null)
  const navigate = useNavigate()
  const address = listingSearch(query)

  const show = (replace: boolean) => {
    search.cancel()
    if (!form.current) return
    void navigate(
      { search: listingSearch(readForm(form.current, query)) },
      { replace, preventScrollReset: true },
    )
  }

  const search = useDebounce(() => show(true), SEARCH_DELAY_MS)

  // Back, forward and links change the address too; the fields follow, except for words that are being typed.
  useEffect(() => {
    if (form.current) fillForm(form.current, parseListing(new URLSearchParams(address)), search.isWaiting())
  }, [address, search])

  return {
    form,
    onChange({ target }) {
      if (!isField(target)) return
      if (target.name === 'size') saveSize(pageSizeFrom(target.value))
      if (target.name !== 'q') return show(false)
      search()
    },
    onSubmit(event) {
      event.preventDefault()
      show(true)
    },
  }
}

const isField = (target: EventTarget): target is HTMLInputElement | HTMLSelectElement =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement

function readForm(form: HTMLFormElement, { category }: ListingQuery): ListingQuery {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  return parseListing(new URLSearchParams(fields), category)
}

function fillForm(form: HTMLFormElement, query: ListingQuery, isTyping: boolean): void {
  const { q, grade, gender, location, size } = query
  const values: Record<string, unknown> = { q, grade, gender, location, size }
  for (const field of form.elements) {
    if (!isField(field) || !(field.name in values)) continue
    const value = String(values[field.name] ?? '')
    if (field.type === 'radio' && field instanceof HTMLInputElement) field.checked = field.value === value
    // Words that are being typed stay, and a trailing space belongs to the word that comes next.
    else if (field.name !== 'q' || !(isTyping || field.value.trim() === value)) field.value = value
  }
}
