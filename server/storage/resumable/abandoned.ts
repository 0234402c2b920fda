import type { StorageDeps } from '../deps.ts'
import { discard } from '../stored-bytes.ts'
import { deleteUploads } from './uploads.ts'

/** Uploads in pieces can be gone on with for so long (the tus protocol's Upload-Expires). */
export const UPLOAD_LIFETIME_SECONDS = 24 * 3600

/** Forgets uploads that nobody went on with, and removes their pieces. Returns how many pieces there were. */
export async function removeAbandonedUploads(
  deps: Pick<StorageDeps, 'db' | 'files' | 'log'>,
): Promise<number> {
  const parts = await deps.db.asOwner('uploads that nobody went on with', (tx) =>
    deleteUploads(tx, { olderThanSeconds: UPLOAD_LIFETIME_SECONDS }),
  )
  await discard(deps, parts)
  return parts.length
}
