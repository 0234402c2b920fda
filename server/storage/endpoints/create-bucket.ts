import { z } from 'zod'
import { callerAccess } from '../access.ts'
import { BucketSettings } from '../bucket-settings.ts'
import { insertBucket } from '../buckets.ts'
import type { StorageDeps } from '../deps.ts'
import { checkBucketName } from '../names.ts'
import { readJson, type StorageContext } from '../request.ts'

const Body = BucketSettings.extend({ id: z.string().optional(), name: z.string() })

/** POST /bucket. Errors: InvalidBucketName, Duplicate, and a refusal by policy. */
export const createBucket =
  ({ db }: StorageDeps) =>
  async (c: StorageContext) => {
    const { id, name, ...settings } = await readJson(c, Body)
    const bucket = checkBucketName(id ?? name)
    const access = callerAccess(db, c.var.caller)
    await access.transaction((tx) => insertBucket(tx, bucket, { ...settings, ownerId: access.ownerId }))
    return c.json({ name: bucket })
  }
