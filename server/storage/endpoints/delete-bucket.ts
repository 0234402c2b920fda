import { isSqlError } from '#server/database/errors.ts'
import { deleteBucket } from '../buckets.ts'
import type { StorageDeps } from '../deps.ts'
import { storageErrors } from '../errors.ts'
import { keyOf, type StorageContext } from '../request.ts'

const STILL_REFERENCED = '23503'

/** DELETE /bucket/{id}: an empty one only. Objects that the caller may not see count too. */
export const deleteBucketEndpoint =
  ({ db }: StorageDeps) =>
  async (c: StorageContext) => {
    const { bucket } = keyOf(c)
    await db
      .asCaller(c.var.caller, (tx) => deleteBucket(tx, bucket))
      .catch((error) => {
        const isNotEmpty = isSqlError(error) && error.code === STILL_REFERENCED
        throw isNotEmpty ? storageErrors.bucketNotEmpty() : error
      })
    return c.json({ message: 'Successfully deleted' })
  }
