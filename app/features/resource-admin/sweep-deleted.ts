import { StorageClient } from '@supabase/storage-js'
import type { Library, LibraryAccess } from '#app/session/library-client.ts'
import type { SiteSettings } from '#app/session/services.ts'
import { openSession } from '#app/session/session.ts'
import { expiry } from './deleted-resources.ts'
import { findOwnMedia, storedFile, type WithMedia } from './media-uses.ts'

const AT_ONCE = 20

/**
 * Removes the files of what was deleted together with its files more than 30 days ago, unless something uses them by
 * now, and then the last trace of it. Only an admin can remove files, so it is done when one looks at the dashboard.
 * What fails is tried again the next time.
 */
export async function sweepDeleted({ library, settings }: LibraryAccess): Promise<void> {
  const { data } = await library
    .from('deleted_resources')
    .select('id,image_url,audioUrl')
    .lt('deleted_at', expiry())
    .eq('frees_media', true)
    .limit(AT_ONCE)
  if (!data?.length) return
  const storage = await openStorage(settings)
  for (const gone of data) {
    const isDone = await removeFiles(library, storage, gone)
    if (isDone) await library.from('deleted_resources').delete().eq('id', gone.id)
  }
}

async function openStorage({ apiUrl, publishableKey }: SiteSettings): Promise<StorageClient> {
  const { client } = await openSession()
  const { data } = await client.getSession()
  return new StorageClient(`${apiUrl}/storage/v1`, {
    apikey: publishableKey,
    Authorization: `Bearer ${data.session?.access_token}`,
  })
}

/** Whether all files of it that nothing uses any more are gone. */
async function removeFiles(library: Library, storage: StorageClient, gone: WithMedia): Promise<boolean> {
  const media = await findOwnMedia(library, gone).catch(() => null)
  const unused = media?.filter(({ others }) => others.length === 0)
  const removals = unused?.map(async ({ kind }) => {
    const file = storedFile(kind === 'picture' ? gone.image_url : gone.audioUrl)
    return file ? storage.from(file.bucket).remove([file.name]) : { error: null }
  })
  return removals ? (await Promise.all(removals)).every(({ error }) => !error) : false
}
