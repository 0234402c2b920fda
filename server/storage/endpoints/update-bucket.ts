import { BucketSettings } from '../bucket-settings.ts'
import { updateBucket } from '../buckets.ts'
import type { StorageDeps } from '../deps.ts'
import { keyOf, readJson, type StorageContext } from '../request.ts'

/** PUT /bucket/{id}: limits bind uploads from then on; what is stored stays. */
export const updateBucketEndpoint =
  ({ db }: StorageDeps) =>
  async (c: StorageContext) => {
    const { bucket } = keyOf(c)
    const settings = await readJson(c, BucketSettings)
    await db.asCaller(c.var.caller, (tx) => updateBucket(tx, bucket, settings))
    return c.json({ message: 'Successfully updated' })
  }
