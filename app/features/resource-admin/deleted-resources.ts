import type { Library } from '#app/session/library-client.ts'
import type { Category } from '#domain/category.ts'

export interface DeletedResource {
  id: string
  title: string
  category: Category
  frees_media: boolean
  deleted_at: string
}

const DAYS_KEPT = 30
const SHOWN = 20

/** What was deleted before this moment cannot be restored any more. */
export const expiry = () => new Date(Date.now() - DAYS_KEPT * 24 * 3600_000).toISOString()

/** What can still be restored, the last deleted first; null when that cannot be found out, which is only logged. */
export async function findDeleted(library: Library): Promise<DeletedResource[] | null> {
  const { data, error } = await library
    .from('deleted_resources')
    .select('id,title,category,frees_media,deleted_at')
    .gt('deleted_at', expiry())
    .order('deleted_at', { ascending: false })
    .limit(SHOWN)
  if (error) console.warn('What was deleted could not be loaded:', error.message)
  return data
}
