import type { StorageDeps } from '../deps.ts'
import { readableBy } from '../objects.ts'
import { keyOf, type StorageContext } from '../request.ts'
import { serveObject } from '../serve-object.ts'

/** GET and HEAD /object/{bucket}/{path} and /object/authenticated/…: what policies let the caller see. */
export const readObject = (deps: StorageDeps) => async (c: StorageContext) =>
  serveObject(c.req.raw, await readableBy(deps.db, c.var.caller, keyOf(c)), deps.files)
