import type { Library } from '#app/session/library-client.ts'
import { type FeaturedResource, featuredColumns } from './featured-resource.ts'

const LIMIT = 3

/** The newest public resources that the editors put forward; null when the library does not answer. */
export async function findFeatured(library: Library): Promise<FeaturedResource[] | null> {
  const { data } = await library
    .from('resources')
    .select(featuredColumns)
    .eq('public', true)
    .eq('featured', true)
    .order('date', { ascending: false })
    .order('title')
    .order('id')
    .limit(LIMIT)
    .overrideTypes<FeaturedResource[], { merge: false }>()
  return data
}
