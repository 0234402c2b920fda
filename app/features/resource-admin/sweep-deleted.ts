import type { StorageClient } from '@supabase/storage-js'
import type { LibraryAccess } from '#app/session/client/library.ts'
import { mediaAccess } from '#app/session/client/media-access.ts'
import { expiry } from './deleted-resources.ts'
import { findOwnMedia, type OwnMedia } from './media-uses.ts'

const AT_ONCE = 20

/**
 * Removes the files of what was deleted together with its files more than 30 days ago, unless something uses them by
 * now, and then the last trace of it. Only an admin can remove files, so it is done when one looks at the dashboard.
 * What fails is tried again the next time.
 */
export async function sweepDeleted(access: LibraryAccess): Promise<void> {
  const deleted = access.library.from('deleted_resources')
  const { data } = await deleted
    .select('id,image_url,audioUrl')
    .lt('deleted_at', expiry())
    .eq('frees_media', true)
    .limit(AT_ONCE)
  if (!data?.length) return
  const { storage } = mediaAccess(access.settings)
  for (const gone of data) {
    const isDone = await removeUnused(storage, await findOwnMedia(access, gone))
    if (isDone) await deleted.delete().eq('id', gone.id)
  }
}

/** Whether all of these files that nothing uses any more are gone. */
async function removeUnused(storage: StorageClient, media: OwnMedia[]): Promise<boolean> {
  const unused = media.filter(({ others }) => others.length === 0)
  const removals = unused.map(({ bucket, name }) => storage.from(bucket).remove([name]))
  return (await Promise.all(removals)).every(({ error }) => !error)
}
