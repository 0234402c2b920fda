import { z } from 'zod'
import type { StorageDeps } from '../deps.ts'
import { storageErrors } from '../errors.ts'
import { Wish } from '../images/recipe.ts'
import { checkObjectName } from '../names.ts'
import { findObject } from '../objects.ts'
import { keyOf, readJson, type StorageContext } from '../request.ts'
import { pathOf, urlOf } from '../signing.ts'

const TEN_YEARS = 10 * 365 * 24 * 3600
export const ExpiresIn = z.number().int().min(1).max(TEN_YEARS)

const Body = z.object({ expiresIn: ExpiresIn, transform: Wish.optional() })

/** POST /object/sign/{bucket}/{path}: an address that reads what the caller may read, for a while, without a key. */
export const signObject =
  ({ db, signer }: StorageDeps) =>
  async (c: StorageContext) => {
    const key = keyOf(c)
    checkObjectName(key.name)
    const { expiresIn, transform } = await readJson(c, Body)
    if (!(await db.asCaller(c.var.caller, (tx) => findObject(tx, key), { readOnly: true }))) {
      throw storageErrors.objectNotFound()
    }
    const token = await signer.sign({ use: 'read', url: urlOf(key), transform }, expiresIn)
    const reader = transform ? 'render/image' : 'object'
    return c.json({ signedURL: `/${reader}/sign/${pathOf(key)}?token=${token}` })
  }
