import { z } from 'zod'
import { bucketLimits } from '../buckets.ts'
import type { StorageDeps } from '../deps.ts'
import { storageErrors } from '../errors.ts'
import { checkObjectName } from '../names.ts'
import { moveObject } from '../object-writes.ts'
import { findObject } from '../objects.ts'
import { readJson, type StorageContext } from '../request.ts'
import { checkLimits } from '../upload/store.ts'

const Body = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationKey: z.string(),
  destinationBucket: z.string().optional(),
})

/** POST /object/move: another name, maybe in another bucket, whose limits then apply. Nothing is overwritten. */
export const moveObjectEndpoint =
  ({ db }: StorageDeps) =>
  async (c: StorageContext) => {
    const body = await readJson(c, Body)
    const from = { bucket: body.bucketId, name: checkObjectName(body.sourceKey) }
    const to = { bucket: body.destinationBucket ?? body.bucketId, name: checkObjectName(body.destinationKey) }
    const source = await db.asCaller(c.var.caller, (tx) => findObject(tx, from), { readOnly: true })
    if (!source) throw storageErrors.objectNotFound()
    const { mimetype, size } = source.metadata
    if (to.bucket !== from.bucket) {
      checkLimits(await bucketLimits(db, to.bucket), { mimetype, announced: size })
    }
    await db.asCaller(c.var.caller, (tx) => moveObject(tx, from, to))
    return c.json({ message: 'Successfully moved' })
  }
