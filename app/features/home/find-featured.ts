import type { LibraryAccess } from '#app/session/client/library.ts'
import { type FeaturedResource, featuredColumns } from './featured-resource.ts'

const LIMIT = 3

/** The newest resources that the editors put forward; null when the library does not answer. */
export async function findFeatured(
  library: LibraryAccess['library'],
  reads: LibraryAccess['reads'] = 'public',
): Promise<FeaturedResource[] | null> {
  const rows = library.from('resources').select(featuredColumns).eq('featured', true)
  const { data } = await (reads === 'public' ? rows.eq('public', true) : rows)
    .order('date', { ascending: false })
    .order('title')
    .order('id')
    .limit(LIMIT)
    .overrideTypes<FeaturedResource[], { merge: false }>()
  return data
}
