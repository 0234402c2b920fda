import { z } from 'zod'
import type { StorageDeps } from '../deps.ts'
import { isObjectName } from '../names.ts'
import { deleteObjects } from '../object-writes.ts'
import { keyOf, readJson, type StorageContext } from '../request.ts'

const Body = z.object({ prefixes: z.array(z.string()).min(1).max(1000) })

/**
 * DELETE /object/{bucket} with whole names as `prefixes`. What is not there, or what policies hide, is left out of the
 * answer without an error. The rows go first, in one transaction; their bytes when that is certain.
 */
export const removeObjects = (deps: StorageDeps) => async (c: StorageContext) => {
  const { bucket } = keyOf(c)
  const { prefixes } = await readJson(c, Body)
  const names = prefixes.filter(isObjectName)
  const removed = await deps.db.asCaller(c.var.caller, (tx) => deleteObjects(tx, bucket, names))
  return c.json(removed)
}
