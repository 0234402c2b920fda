import { callerAccess } from '../access.ts'
import type { StorageDeps } from '../deps.ts'
import type { WriteMode } from '../object-writes.ts'
import { keyOf, type StorageContext, wantsUpsert } from '../request.ts'
import { receive } from '../upload/receive.ts'
import { storeUpload } from '../upload/store.ts'

/** POST /object/{bucket}/{path} makes an object (with x-upsert: or replaces it), PUT replaces one that is there. */
export const uploadObject = (deps: StorageDeps) => async (c: StorageContext) => {
  const key = keyOf(c)
  const mode: WriteMode = c.req.method === 'PUT' ? 'update' : wantsUpsert(c) ? 'upsert' : 'insert'
  const incoming = await receive(c.req.raw)
  const id = await storeUpload(deps, { access: callerAccess(deps.db, c.var.caller), key, mode, incoming })
  return c.json({ Id: id, Key: `${key.bucket}/${key.name}` })
}
