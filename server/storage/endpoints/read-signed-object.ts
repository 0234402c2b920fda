import type { Context } from 'hono'
import type { StorageDeps } from '../deps.ts'
import { storageErrors } from '../errors.ts'
import { readableBySignature } from '../objects.ts'
import { keyOf } from '../request.ts'
import { serveObject } from '../serve-object.ts'

/** GET and HEAD /object/sign/{bucket}/{path}?token=…: no key; the token is the permission. */
export const readSignedObject = (deps: StorageDeps) => async (c: Context) => {
  const { transform, key } = await deps.signer.verify(c.req.query('token') ?? '', 'read', keyOf(c))
  // Who may see a small picture may not see the large one.
  if (transform) throw storageErrors.badSignature()
  return serveObject(c.req.raw, await readableBySignature(deps.db, key), deps.files)
}
