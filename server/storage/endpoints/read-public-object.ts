import type { Context } from 'hono'
import type { StorageDeps } from '../deps.ts'
import { readablePublicly } from '../objects.ts'
import { keyOf } from '../request.ts'
import { serveObject } from '../serve-object.ts'

/** GET and HEAD /object/public/{bucket}/{path}: no key needed, public buckets only (protocol.md 7.2). */
export const readPublicObject = (deps: StorageDeps) => async (c: Context) =>
  serveObject(c.req.raw, await readablePublicly(deps.db, keyOf(c)), deps.files)
