import { z } from 'zod'
import { callerAccess } from '../access.ts'
import type { StorageDeps } from '../deps.ts'
import { storageErrors } from '../errors.ts'
import { checkObjectName } from '../names.ts'
import { findObject, type StoredObject } from '../objects.ts'
import { readJson, type StorageContext, wantsUpsert } from '../request.ts'
import { cacheControl, contentEncoding, type Incoming, mediaType } from '../upload/receive.ts'
import { storeUpload } from '../upload/store.ts'

const Body = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationKey: z.string(),
  destinationBucket: z.string().optional(),
  copyMetadata: z.boolean().default(true),
  metadata: z
    .object({ cacheControl: z.string(), contentEncoding: z.string(), mimetype: z.string() })
    .partial()
    .optional(),
})
type Body = z.infer<typeof Body>

/** POST /object/copy: an upload whose bytes are already here, under the same rules. */
export const copyObject = (deps: StorageDeps) => async (c: StorageContext) => {
  const body = await readJson(c, Body)
  const from = { bucket: body.bucketId, name: checkObjectName(body.sourceKey) }
  const to = { bucket: body.destinationBucket ?? body.bucketId, name: checkObjectName(body.destinationKey) }
  const access = callerAccess(deps.db, c.var.caller)
  const source = await access.transaction((tx) => findObject(tx, from))
  if (!source) throw storageErrors.objectNotFound()
  const incoming = { ...descriptionOf(source, body), bytes: bytesOf(deps, source) }
  const mode = wantsUpsert(c) ? 'upsert' : 'insert'
  const id = await storeUpload(deps, { access, key: to, mode, incoming })
  return c.json({ Id: id, Key: `${to.bucket}/${to.name}` })
}

/** Opened only when they are wanted: a copy that is refused shall leave no file open. */
async function* bytesOf({ files }: StorageDeps, { version }: StoredObject): AsyncGenerator<Uint8Array> {
  yield* (await files.read(version)) as unknown as AsyncIterable<Uint8Array>
}

/** The source's own description, with what the caller wants otherwise. */
function descriptionOf({ metadata, user_metadata }: StoredObject, body: Body): Omit<Incoming, 'bytes'> {
  const changes = body.copyMetadata ? {} : (body.metadata ?? {})
  return {
    mimetype: mediaType(changes.mimetype ?? metadata.mimetype),
    cacheControl: cacheControl(changes.cacheControl ?? metadata.cacheControl),
    contentEncoding: contentEncoding(changes.contentEncoding ?? metadata.contentEncoding ?? null),
    userMetadata: body.copyMetadata ? user_metadata : null,
    announced: metadata.size,
  }
}
