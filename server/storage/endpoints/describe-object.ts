import type { Context } from 'hono'
import type { StorageDeps } from '../deps.ts'
import { readableBy, readablePublicly, type StoredObject } from '../objects.ts'
import { keyOf, type StorageContext } from '../request.ts'

/** GET /object/info/public/{bucket}/{path}: no key needed. */
export const describePublicObject =
  ({ db }: StorageDeps) =>
  async (c: Context) =>
    c.json(infoOf(await readablePublicly(db, keyOf(c))))

/** GET /object/info/{bucket}/{path} and /object/info/authenticated/…; storage-js asks `exists()` here too. */
export const describeObject =
  ({ db }: StorageDeps) =>
  async (c: StorageContext) =>
    c.json(infoOf(await readableBy(db, c.var.caller, keyOf(c))))

const infoOf = ({ metadata, ...object }: StoredObject) => ({
  id: object.id,
  name: object.name,
  version: object.version,
  bucket_id: object.bucket_id,
  size: metadata.size,
  content_type: metadata.mimetype,
  content_encoding: metadata.contentEncoding ?? null,
  cache_control: metadata.cacheControl,
  etag: metadata.eTag,
  metadata: object.user_metadata ?? {},
  last_modified: metadata.lastModified,
  created_at: object.created_at,
})
