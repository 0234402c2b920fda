import { findBucket } from '../buckets.ts'
import type { StorageDeps } from '../deps.ts'
import { deleteObjects } from '../object-writes.ts'
import { keyOf, type StorageContext } from '../request.ts'

/** POST /bucket/{id}/empty: removes all objects that policies let the caller remove. */
export const emptyBucket = (deps: StorageDeps) => async (c: StorageContext) => {
  const { bucket } = keyOf(c)
  await deps.db.asCaller(c.var.caller, async (tx) => {
    await findBucket(tx, bucket)
    await deleteObjects(tx, bucket)
  })
  return c.json({ message: 'Successfully emptied' })
}
