import type { Library, LibraryAccess } from '#app/session/client/library.ts'
import { type Resource, type ResourceSummary, summaryColumns } from '#domain/resource.ts'
import { LibraryFailed } from './library-failed.ts'
import { inListingOrder } from './listing-order.ts'

type Reads = LibraryAccess['reads']

const RELATED = 3
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/**
 * One resource with its body; null when there is none, when it is private and a visitor asks, or when the id cannot be
 * one, for which the database is not asked. Errors: LibraryFailed.
 */
export async function findResource(
  library: Library,
  id: string,
  reads: Reads = 'public',
): Promise<Resource | null> {
  if (!uuid.test(id)) return null
  const { data, error } = await resources(library, reads, `${summaryColumns},article_content`)
    .eq('id', id)
    .maybeSingle()
    .overrideTypes<Resource, { merge: false }>()
  if (error) throw new LibraryFailed(error)
  return data
}

/** Three others of the same category, the featured and the newest first. Errors: LibraryFailed. */
export async function findRelated(
  library: Library,
  { id, category }: Resource,
  reads: Reads = 'public',
): Promise<ResourceSummary[]> {
  const { data, error } = await inListingOrder(
    resources(library, reads, summaryColumns).eq('category', category).neq('id', id),
  )
    .limit(RELATED)
    .overrideTypes<ResourceSummary[], { merge: false }>()
  if (error) throw new LibraryFailed(error)
  return data
}

function resources(library: Library, reads: Reads, columns: string) {
  const rows = library.from('resources').select(columns)
  return reads === 'public' ? rows.eq('public', true) : rows
}
