import { StorageClient } from '@supabase/storage-js'
import type { Library } from '#app/session/library-client.ts'
import { openSession } from '#app/session/session.ts'
import type { Category } from '#domain/category.ts'
import { findOwnMedia, storedFile, type WithMedia } from './media-uses.ts'

export interface DeletedResource {
  id: string
  title: string
  category: Category
  frees_media: boolean
  deleted_at: string
}

const DAYS_KEPT = 30
const SHOWN = 20
const expiry = () => new Date(Date.now() - DAYS_KEPT * 24 * 3600_000).toISOString()

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

/**
 * Removes the files of what was deleted together with its files more than 30 days ago, unless something uses them by
 * now, and then the last trace of it. Only an admin can remove files, so it is done when one looks at the dashboard.
 * What fails is tried again the next time.
 */
export async function sweepDeleted(library: Library, apiUrl: string): Promise<void> {
  const { data } = await library
    .from('deleted_resources')
    .select('id,image_url,audioUrl')
    .lt('deleted_at', expiry())
    .eq('frees_media', true)
    .limit(SHOWN)
  if (!data?.length) return
  const storage = await openStorage(apiUrl)
  for (const gone of data) {
    if (await removeFiles(library, storage, gone))
      await library.from('deleted_resources').delete().eq('id', gone.id)
  }
}

async function openStorage(apiUrl: string): Promise<StorageClient> {
  const { client } = await openSession()
  const { data } = await client.getSession()
  return new StorageClient(`${apiUrl}/storage/v1`, { Authorization: `Bearer ${data.session?.access_token}` })
}

/** Whether all files that nothing uses any more are gone. */
async function removeFiles(library: Library, storage: StorageClient, gone: WithMedia): Promise<boolean> {
  const media = await findOwnMedia(library, gone).catch(() => null)
  const unused = media?.filter(({ others }) => others.length === 0)
  if (!unused) return false
  const removals = unused.map(async ({ kind }) => {
    const file = storedFile(kind === 'picture' ? gone.image_url : gone.audioUrl)
    return file ? storage.from(file.bucket).remove([file.name]) : { error: null }
  })
  return (await Promise.all(removals)).every(({ error }) => !error)
}
