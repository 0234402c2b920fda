import { z } from 'zod'
import type { StorageDeps } from '../deps.ts'
import { existingNames } from '../objects.ts'
import { keyOf, readJson, type StorageContext } from '../request.ts'
import { pathOf, urlOf } from '../signing.ts'
import { ExpiresIn } from './sign-object.ts'

const Body = z.object({ expiresIn: ExpiresIn, paths: z.array(z.string()).min(1).max(1000) })

const NOT_YOURS = 'Either the object does not exist or you do not have access to it'

/** POST /object/sign/{bucket}: an address for each path, or why there is none. */
export const signObjects =
  ({ db, signer }: StorageDeps) =>
  async (c: StorageContext) => {
    const { bucket } = keyOf(c)
    const { expiresIn, paths } = await readJson(c, Body)
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
