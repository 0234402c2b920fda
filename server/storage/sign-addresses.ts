import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { bucketLimits } from './buckets.ts'
import { storageErrors } from './errors.ts'
import { TransformOptions } from './images/preset.ts'
import { checkObjectName } from './names.ts'
import { existingNames, findObject, writeObject } from './objects/rows.ts'
import {
  callerAccess,
  keyOf,
  readJson,
  rehearse,
  type StorageContext,
  type StorageDeps,
  wantsUpsert,
} from './request.ts'
import { pathOf, urlOf } from './signing.ts'

const TEN_YEARS = 10 * 365 * 24 * 3600
const ExpiresIn = z.number().int().min(1).max(TEN_YEARS)

const SignBody = z.object({ expiresIn: ExpiresIn, transform: TransformOptions.optional() })

/** POST /object/sign/{bucket}/{path}: an address that reads what the caller may read, for a while, without a key. */
export const signObject =
  ({ db, signer }: StorageDeps) =>
  async (c: StorageContext) => {
    const key = keyOf(c)
    checkObjectName(key.name)
    const { expiresIn, transform } = await readJson(c, SignBody)
    if (!(await db.asCaller(c.var.caller, (tx) => findObject(tx, key), { readOnly: true }))) {
      throw storageErrors.objectNotFound()
    }
    const token = await signer.sign({ use: 'read', url: urlOf(key), transform }, expiresIn)
    const reader = transform ? 'render/image' : 'object'
    return c.json({ signedURL: `/${reader}/sign/${pathOf(key)}?token=${token}` })
  }

const SignManyBody = z.object({ expiresIn: ExpiresIn, paths: z.array(z.string()).min(1).max(1000) })

const NOT_YOURS = 'Either the object does not exist or you do not have access to it'

/** POST /object/sign/{bucket}: an address for each path, or why there is none. */
export const signObjects =
  ({ db, signer }: StorageDeps) =>
  async (c: StorageContext) => {
    const { bucket } = keyOf(c)
    const { expiresIn, paths } = await readJson(c, SignManyBody)
    const visible = await db.asCaller(c.var.caller, (tx) => existingNames(tx, bucket, paths), {
      readOnly: true,
    })
    const sign = async (path: string) => {
      if (!visible.has(path)) return { path, signedURL: null, error: NOT_YOURS }
      const key = { bucket, name: path }
      const token = await signer.sign({ use: 'read', url: urlOf(key) }, expiresIn)
      return { path, signedURL: `/object/sign/${pathOf(key)}?token=${token}`, error: null }
    }
    return c.json(await Promise.all(paths.map(sign)))
  }

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
