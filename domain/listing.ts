import {
  defaultPreferences,
  type PageSize,
  type Preferences,
  pageSizeFrom,
  type ViewMode,
  viewModeFrom,
} from './preferences.ts'
import { type Category, type Gender, isGender } from './resource.ts'

/** What a listing shows: the state that lives in its address. */
export interface ListingQuery {
  /** The category of the path; none lists everything. */
  category?: Category | undefined
  /** Search words, trimmed; '' searches for nothing in particular. */
  q: string
  grade: number | null
  gender: Gender | null
  location: string
  page: number
  size: PageSize
  view: ViewMode
}

/** The query keys a listing knows, in canonical order. The page cache drops every other. */
export const listingKeys = ['q', 'grade', 'gender', 'location', 'page', 'size', 'view'] as const

/** A longer search finds nothing: no title and no sentence is looked for that way. */
export const maxSearchLength = 200

/** A search counts its matches up to this number, and says when there are more (search_page in the database). */
export const mostCounted = 300

/** A search shows its first matches, up to this number, page by page (search_page in the database). */
export const mostFound = 3000

const maxLocationLength = 200
const pageButtons = 5

const positive = (text: string | null) => (/^[1-9]\d{0,4}$/.test(text ?? '') ? Number(text) : null)
const isText = (text: string) => !text.includes('\0')

const readLocation = (text: string | null) => {
  const location = text?.trim() ?? ''
  return location.length <= maxLocationLength && isText(location) ? location : ''
}

/**
 * Reads a listing's query from an address. Never fails: unknown keys are ignored, and what makes no sense
 * falls back to its default, which for view and page size is the reader's preference.
 */
export const parseListing = (
  search: URLSearchParams,
  category?: Category,
  preferences: Preferences = defaultPreferences,
): ListingQuery => {
  const grade = positive(search.get('grade'))
  const gender = search.get('gender')
  return {
    category,
    q: search.get('q')?.trim() ?? '',
    grade: grade !== null && gradeOptions.includes(grade) ? grade : null,
    gender: isGender(gender) ? gender : null,
    location: readLocation(search.get('location')),
    page: positive(search.get('page')) ?? 1,
    size: pageSizeFrom(search.get('size'), preferences.size),
    view: viewModeFrom(search.get('view'), preferences.view),
  }
}

/** False when no resource can match, so that the database need not be asked: no column can hold such a text. */
export const canMatch = ({ q }: ListingQuery) => q.length <= maxSearchLength && isText(q)

/** Whether anything but the category narrows the listing. */
export const isFiltered = ({ q, grade, gender, location }: ListingQuery) =>
  q !== '' || grade !== null || gender !== null || location !== ''

/**
 * The one canonical search string of a query, '' or with its '?': defaults left out, keys in fixed order.
 * `parseListing` with the same preferences reads the same query back.
 */
export const listingSearch = (query: ListingQuery, preferences: Preferences = defaultPreferences) => {
  const values: Record<(typeof listingKeys)[number], string | number | null> = {
    q: query.q,
    grade: query.grade,
    gender: query.gender,
    location: query.location,
    page: query.page === 1 ? null : query.page,
    size: query.size === preferences.size ? null : query.size,
    view: query.view === preferences.view ? null : query.view,
  }
  const search = new URLSearchParams()
  for (const key of listingKeys) if (values[key]) search.set(key, String(values[key]))
  return search.size > 0 ? `?${search}` : ''
}

const narrowing = ['category', 'q', 'grade', 'gender', 'location', 'size'] as const

/** The query after a change. A changed filter, search, category or page size goes back to page 1 (section 4). */
export const changeListing = (query: ListingQuery, change: Partial<ListingQuery>): ListingQuery => {
  const changed = { ...query, ...change }
  const isOther = narrowing.some((key) => changed[key] !== query[key])
  return isOther ? { ...changed, page: 1 } : changed
}

/** The numbers of the page buttons: up to five around the current page, none when there are no pages. */
export const paginationWindow = (page: number, pages: number): number[] => {
  const first = Math.max(1, Math.min(page - Math.floor(pageButtons / 2), pages - pageButtons + 1))
  const length = Math.max(0, Math.min(pageButtons, pages))
  return Array.from({ length }, (_, index) => first + index)
}

/** The choices of the grade filter (section 9); apart from the form's rules, which no visitor downloads. */
export const gradeOptions: readonly number[] = [6, 7, 8, 9, 10, 11, 12]
