import { findBucket } from '../buckets.ts'
import type { StorageDeps } from '../deps.ts'
import { keyOf, type StorageContext } from '../request.ts'

/** GET /bucket/{id}. */
export const readBucket =
  ({ db }: StorageDeps) =>
  async (c: StorageContext) => {
    const { bucket } = keyOf(c)
    return c.json(await db.asCaller(c.var.caller, (tx) => findBucket(tx, bucket), { readOnly: true }))
  }
