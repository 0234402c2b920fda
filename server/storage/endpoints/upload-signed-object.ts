import type { Context } from 'hono'
import { signedAccess } from '../access.ts'
import type { StorageDeps } from '../deps.ts'
import { storageErrors } from '../errors.ts'
import { keyOf } from '../request.ts'
import { urlOf } from '../signing.ts'
import { receive } from '../upload/receive.ts'
import { storeUpload } from '../upload/store.ts'

/** PUT /object/upload/sign/{bucket}/{path}?token=…: no key; the token says who owns it and whether it may replace. */
export const uploadSignedObject = (deps: StorageDeps) => async (c: Context) => {
  const token = c.req.query('token')
  if (!token) throw storageErrors.badSignature()
  const { owner, upsert, key } = await deps.signer.verify(token, 'write', keyOf(c))
  const access = signedAccess(deps.db, owner)
  const incoming = await receive(c.req.raw)
  const id = await storeUpload(deps, { access, key, mode: upsert ? 'upsert' : 'insert', incoming })
  return c.json({ Id: id, Key: urlOf(key) })
}
