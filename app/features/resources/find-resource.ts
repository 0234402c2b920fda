import type { Library } from '#app/session/library-client.ts'
import { type Resource, type ResourceSummary, summaryColumns } from '#domain/resource.ts'
import { LibraryFailed } from './library-failed.ts'
import { inListingOrder } from './listing-order.ts'

const RELATED = 3
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/**
 * One resource with its body, as a visitor may see it; null when there is none, when it is private, or when the id
 * cannot be one, for which the database is not asked. Errors: LibraryFailed.
 */
export async function findResource(library: Library, id: string): Promise<Resource | null> {
  if (!uuid.test(id)) return null
  const { data, error } = await library
    .from('resources')
    .select(`${summaryColumns},article_content`)
    .eq('id', id)
    .eq('public', true)
    .maybeSingle()
    .overrideTypes<Resource, { merge: false }>()
  if (error) throw new LibraryFailed(error)
  return data
}

/** Three others of the same category, the featured and the newest first. Errors: LibraryFailed. */
export async function findRelated(library: Library, { id, category }: Resource): Promise<ResourceSummary[]> {
  const { data, error } = await inListingOrder(
    library
      .from('resources')
      .select(summaryColumns)
      .eq('public', true)
      .eq('category', category)
      .neq('id', id),
  )
    .limit(RELATED)
    .overrideTypes<ResourceSummary[], { merge: false }>()
  if (error) throw new LibraryFailed(error)
  return data
}
