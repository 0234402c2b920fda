import type { Library, LibraryAccess } from '#app/session/library-client.ts'
import { gendersFor } from '#domain/gender.ts'
import { canMatch, type ListingQuery } from '#domain/listing.ts'
import { type ResourceSummary, summaryColumns } from '#domain/resource.ts'
import { searchPattern } from '#domain/search-pattern.ts'
import { LibraryFailed } from './library-failed.ts'
import { inListingOrder } from './listing-order.ts'

/** One page of a listing. */
export interface FoundPage {
  resources: ResourceSummary[]
  /** How many resources match, on all pages together. */
  total: number
  /** The page that is shown: the last one when a later page was asked for. */
  page: number
  pages: number
}

/** PostgREST's code for an offset behind the last row. */
const OUT_OF_RANGE = 'PGRST103'

/**
 * Finds what a listing shows; filtering, counting and paging happen in the database. Visitors ask for public rows only.
 * Errors: LibraryFailed.
 */
export async function findListing(
  library: Library,
  query: ListingQuery,
  reads: LibraryAccess['reads'] = 'public',
): Promise<FoundPage> {
  const matching: Matching = (columns, options) =>
    matchingRows({ library, reads, query, columns, ...options })
  if (!canMatch(query)) return { resources: [], total: 0, page: 1, pages: 1 }
  const found = await readPage(matching, query)
  if (found) return found
  // Links outlive resources: a page that is gone shows the last one there is.
  const pages = Math.ceil((await countMatches(matching)) / query.size)
  const last = await readPage(matching, { ...query, page: Math.max(pages, 1) })
  if (!last) throw new LibraryFailed('the last page lies out of range')
  return last
}

/** The locations that the filter offers: those of the category's resources that the reader may see. Errors: LibraryFailed. */
export async function findLocations(library: Library, category: ListingQuery['category']): Promise<string[]> {
  const { data, error } = await library.rpc('resource_locations', category ? { of_category: category } : {}, {
    get: true,
  })
  if (error) throw new LibraryFailed(error)
  return data
}

/** The page asked for, or null when it lies behind the last one. */
async function readPage(matching: Matching, { page, size }: ListingQuery): Promise<FoundPage | null> {
  const { data, count, error } = await inListingOrder(matching(summaryColumns))
    .range((page - 1) * size, page * size - 1)
    .overrideTypes<ResourceSummary[], { merge: false }>()
  if (error?.code === OUT_OF_RANGE) return null
  if (error) throw new LibraryFailed(error)
  const total = count ?? 0
  if (data.length === 0 && page > 1) return null
  return { resources: data, total, page, pages: Math.max(1, Math.ceil(total / size)) }
}

async function countMatches(matching: Matching): Promise<number> {
  const { count, error } = await matching('id', { head: true })
  if (error) throw new LibraryFailed(error)
  return count ?? 0
}

interface Question extends Pick<LibraryAccess, 'library' | 'reads'> {
  query: ListingQuery
  columns: string
  head?: boolean
}
type Matching = (columns: string, options?: { head: boolean }) => ReturnType<typeof matchingRows>

/** The rules of the listing's filters (specification, section 5), as the database understands them. */
function matchingRows({ library, reads, query, columns, head = false }: Question) {
  const { category, q, grade, gender, location } = query
  let rows = library.from('resources').select(columns, { count: 'exact', head })
  if (reads === 'public') rows = rows.eq('public', true)
  if (category) rows = rows.eq('category', category)
  if (q) rows = rows.or(searchFilter(q))
  if (grade !== null) rows = rows.lte('grade_low', grade).gte('grade_high', grade)
  if (gender) rows = rows.in('gender', gendersFor(gender))
  if (location) rows = rows.eq('location', location)
  return rows
}

/** Title or description contains the words literally, in any case. */
function searchFilter(words: string): string {
  // Inside a list, PostgREST takes a value literally between double quotes, where only \ and " need an escape.
  const pattern = `"${searchPattern(words).replace(/[\\"]/g, '\\$&')}"`
  return `title.imatch.${pattern},description.imatch.${pattern}`
}
