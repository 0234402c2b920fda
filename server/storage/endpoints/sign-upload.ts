import { randomUUID } from 'node:crypto'
import { callerAccess, rehearse } from '../access.ts'
import { bucketLimits } from '../buckets.ts'
import type { StorageDeps } from '../deps.ts'
import { checkObjectName } from '../names.ts'
import { writeObject } from '../object-writes.ts'
import { keyOf, type StorageContext, wantsUpsert } from '../request.ts'
import { pathOf, urlOf } from '../signing.ts'

const TWO_HOURS = 2 * 3600

/** POST /object/upload/sign/{bucket}/{path}: lets somebody without a key upload what the caller may upload. */
export const signUpload =
  ({ db, signer }: StorageDeps) =>
  async (c: StorageContext) => {
    const key = keyOf(c)
    const upsert = wantsUpsert(c)
    checkObjectName(key.name)
    await bucketLimits(db, key.bucket)
    const access = callerAccess(db, c.var.caller)
    const row = { ...key, ownerId: access.ownerId, version: randomUUID(), metadata: {}, userMetadata: null }
    await rehearse(access, (tx) => writeObject(tx, row, upsert ? 'upsert' : 'insert'))
    const grant = { use: 'write', url: urlOf(key), owner: access.ownerId, upsert } as const
    const token = await signer.sign(grant, TWO_HOURS)
    return c.json({ url: `/object/upload/sign/${pathOf(key)}?token=${token}`, token })
  }
