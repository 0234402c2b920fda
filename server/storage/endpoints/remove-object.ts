import type { StorageDeps } from '../deps.ts'
import { storageErrors } from '../errors.ts'
import { checkObjectName } from '../names.ts'
import { deleteObjects } from '../object-writes.ts'
import { keyOf, type StorageContext } from '../request.ts'

/** DELETE /object/{bucket}/{path}. Errors: Object not found, also when policies hide or keep it. */
export const removeObject = (deps: StorageDeps) => async (c: StorageContext) => {
  const { bucket, name } = keyOf(c)
  checkObjectName(name)
  const removed = await deps.db.asCaller(c.var.caller, (tx) => deleteObjects(tx, bucket, [name]))
  if (removed.length === 0) throw storageErrors.objectNotFound()
  return c.json({ message: 'Successfully deleted' })
}
