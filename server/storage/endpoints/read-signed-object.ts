import type { Context } from 'hono'
import type { StorageDeps } from '../deps.ts'
import { storageErrors } from '../errors.ts'
import { readableBySignature } from '../objects.ts'
import { keyOf } from '../request.ts'
import { serveObject } from '../serve-object.ts'

/** GET and HEAD /object/sign/{bucket}/{path}?token=…: no key; the token is the permission. */
export const readSignedObject = (deps: StorageDeps) => async (c: Context) => {
  const key = keyOf(c)
  const token = c.req.query('token')
  if (!token) throw storageErrors.badSignature()
  await deps.signer.verify(token, 'read', key)
  return serveObject(c.req.raw, await readableBySignature(deps.db, key), deps.files)
}
