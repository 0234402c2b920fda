import { href } from 'react-router'
import { breadcrumbs, itemList } from '#app/features/seo/json-ld.ts'
import { type PageFacts, pageMeta } from '#app/features/seo/page-meta.ts'
import type { Library, LibraryAccess } from '#app/session/client/library.ts'
import { canMatch, isFiltered, type ListingQuery, mostCounted, mostFound } from '#domain/listing.ts'
import { defaultPreferences } from '#domain/preferences.ts'
import { gendersFor, listingTexts, type ResourceSummary, summaryColumns } from '#domain/resource.ts'
import { inListingOrder, LibraryFailed, unavailable, withMedia } from './library.ts'

/**
 * What a listing's page shows to whoever the access belongs to. On the server for visitors; members download it.
 * Errors: 503 when the library does not answer.
 */
export async function readListing({ library, settings, reads }: LibraryAccess, query: ListingQuery) {
  try {
    const [found, locations] = await Promise.all([
      findListing(library, query, reads),
      findLocations(library, query.category),
    ])
    const resources = found.resources.map((resource) => withMedia(resource, settings))
    const meta = pageMeta([{ loaderData: settings }], describeListing(query, found))
    return { found: { ...found, resources }, locations, meta }
  } catch (error) {
    throw unavailable(error)
  }
}

/** Search engines see one series of pages: unfiltered, in the default size. */
function describeListing(query: ListingQuery, { resources, page, pages }: FoundPage): PageFacts {
  const { title, blurb } = listingTexts[query.category ?? 'all']
  const inSeries = !isFiltered(query) && query.size === defaultPreferences.size
  const all = { name: listingTexts.all.title, path: href('/resources/:category?') }
  const path = query.category ? `${all.path}/${query.category}` : all.path
  const pathOf = (number: number) => (number > 1 ? `${path}?page=${number}` : path)
  return {
    title: inSeries && page > 1 ? `${title}, page ${page}` : title,
    description: blurb,
    path: inSeries ? pathOf(page) : path,
    previous: inSeries && page > 1 ? pathOf(page - 1) : undefined,
    next: inSeries && page < pages ? pathOf(page + 1) : undefined,
    jsonLd: [breadcrumbs(query.category ? [all, { name: title, path }] : [all]), itemList(resources)],
  }
}

/** One page of a listing. */
export interface FoundPage {
  resources: ResourceSummary[]
  /** How many resources match, on all pages together. */
  total: number
  /** Whether there are more than `total`: a search counts to a few hundred. */
  more: boolean
  /** The page that is shown: the last one when a later page was asked for. */
  page: number
  pages: number
}

interface Question extends Pick<LibraryAccess, 'library' | 'reads'> {
  query: ListingQuery
}

/** Pages up to this one are read while they are counted. Later ones wait, to be read from the nearer end. */
const NEAR_PAGES = 25

/**
 * Finds what a listing shows; filtering, counting and paging happen in the database. Visitors ask for public rows only.
 * Errors: LibraryFailed.
 */
export async function findListing(
  library: Library,
  query: ListingQuery,
  reads: LibraryAccess['reads'] = 'public',
): Promise<FoundPage> {
  if (!canMatch(query)) return { resources: [], total: 0, more: false, page: 1, pages: 1 }
  const asked = { library, reads, query }
  if (query.q) return findMatches(asked)
  const isNear = query.page <= NEAR_PAGES
  const [counted, near] = await Promise.all([countRows(asked), isNear ? readPage(asked) : undefined])
  const pages = Math.max(1, Math.ceil(counted / query.size))
  // Links outlive resources: a page that is gone shows the last one there is.
  const page = Math.min(query.page, pages)
  const isRead = near !== undefined && page === query.page
  const resources = isRead ? near : await readPage({ ...asked, query: { ...query, page } }, counted)
  return { resources, total: counted, more: false, page, pages }
}

async function findMatches(asked: Question): Promise<FoundPage> {
  const { query } = asked
  const { total, resources } = await searchPage(asked)
  if (total > mostCounted) return uncounted(asked, resources)
  const pages = Math.max(1, Math.ceil(total / query.size))
  const page = Math.min(query.page, pages)
  if (page === query.page) return { resources, total, more: false, page, pages }
  const last = await searchPage({ ...asked, query: { ...query, page } })
  return { resources: last.resources, total, more: false, page, pages }
}

/** A page of a search with more matches than are counted: behind each full page there may be another one. */
async function uncounted(asked: Question, found?: ResourceSummary[]): Promise<FoundPage> {
  const { page, size } = asked.query
  const countedPages = Math.ceil(mostCounted / size)
  const resources = found ?? (await searchPage(asked)).resources
  if (resources.length === 0 && page > countedPages)
    return uncounted({ ...asked, query: { ...asked.query, page: countedPages } })
  const read = (page - 1) * size + resources.length
  if (resources.length < size && read < mostFound)
    return { resources, total: read, more: false, page, pages: page }
  const pages = Math.max(countedPages, read < mostFound ? page + 1 : page)
  return { resources, total: mostCounted, more: true, page, pages }
}

/** The locations that the filter offers: those of the category's resources that the reader may see. Errors: LibraryFailed. */
export async function findLocations(library: Library, category: ListingQuery['category']): Promise<string[]> {
  const { data, error } = await library.rpc('resource_locations', { of_category: category }, { get: true })
  if (error) throw new LibraryFailed(error)
  return data
}

/** A page of a search and the number of its matches, in one question. */
async function searchPage({ library, query }: Question) {
  const { q: words, page, size } = query
  const { data, error } = await library.rpc(
    'search_page',
    { words, ...filters(query), page, size },
    { get: true },
  )
  if (error) throw new LibraryFailed(error)
  return data
}

async function countRows({ library, query }: Question): Promise<number> {
  const { data, error } = await library.rpc('count_resources', filters(query), { get: true })
  if (error) throw new LibraryFailed(error)
  return data
}

/** The rows of a page. With the total, a page of the latter half is read backwards: skipping rows takes time. */
async function readPage({ query, ...asked }: Question, total?: number): Promise<ResourceSummary[]> {
  const { page, size } = query
  const before = (page - 1) * size
  const behind = total === undefined ? Number.POSITIVE_INFINITY : total - page * size
  const backwards = behind < before
  const [from, to] = backwards ? [Math.max(behind, 0), behind + size - 1] : [before, before + size - 1]
  const { data, error } = await inListingOrder(listedRows({ query, ...asked }), { backwards })
    .range(from, to)
    .overrideTypes<ResourceSummary[], { merge: false }>()
  if (error) throw new LibraryFailed(error)
  return backwards ? data.toReversed() : data
}

/** The rules of the listing's filters (specification, section 5), as the database understands them. */
function listedRows({ library, reads, query: { category, grade, gender, location } }: Question) {
  let rows = library.from('resources').select(summaryColumns)
  if (reads === 'public') rows = rows.eq('public', true)
  if (category) rows = rows.eq('category', category)
  if (grade !== null) rows = rows.lte('grade_low', grade).gte('grade_high', grade)
  if (gender) rows = rows.in('gender', gendersFor(gender))
  if (location) rows = rows.eq('location', location)
  return rows
}

/** The filters as arguments; the client leaves out what is undefined. */
const filters = ({ category, grade, gender, location }: ListingQuery) => ({
  of_category: category,
  in_grade: grade ?? undefined,
  of_genders: gender ? [...gendersFor(gender)] : undefined,
  at_location: location || undefined,
})
