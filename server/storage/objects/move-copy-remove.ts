import { z } from 'zod'
import { bucketLimits } from '../buckets.ts'
import { storageErrors } from '../errors.ts'
import { checkObjectName, isObjectName } from '../names.ts'
import {
  callerAccess,
  keyOf,
  readJson,
  type StorageContext,
  type StorageDeps,
  wantsUpsert,
} from '../request.ts'
import { cacheControl, contentEncoding, mediaType } from '../upload/receive.ts'
import { checkLimits, type Incoming, storeUpload } from '../upload/store.ts'
import { deleteObjects, findObject, moveObject, type StoredObject } from './rows.ts'

const MoveBody = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationKey: z.string(),
  destinationBucket: z.string().optional(),
})

/** POST /object/move: another name, maybe in another bucket, whose limits then apply. Nothing is overwritten. */
export const moveObjectEndpoint =
  ({ db }: StorageDeps) =>
  async (c: StorageContext) => {
    const body = await readJson(c, MoveBody)
    const from = { bucket: body.bucketId, name: checkObjectName(body.sourceKey) }
    const to = { bucket: body.destinationBucket ?? body.bucketId, name: checkObjectName(body.destinationKey) }
    const source = await db.asCaller(c.var.caller, (tx) => findObject(tx, from), { readOnly: true })
    if (!source) throw storageErrors.objectNotFound()
    const { mimetype, size } = source.metadata
    if (to.bucket !== from.bucket) {
      checkLimits(await bucketLimits(db, to.bucket), { mimetype, announced: size })
    }
    await db.asCaller(c.var.caller, (tx) => moveObject(tx, from, to))
    return c.json({ message: 'Successfully moved' })
  }

const CopyBody = z.object({
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
type CopyBody = z.infer<typeof CopyBody>

/** POST /object/copy: an upload whose bytes are already here, under the same rules. */
export const copyObject = (deps: StorageDeps) => async (c: StorageContext) => {
  const body = await readJson(c, CopyBody)
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
function descriptionOf({ metadata, user_metadata }: StoredObject, body: CopyBody): Omit<Incoming, 'bytes'> {
  const changes = body.copyMetadata ? {} : (body.metadata ?? {})
  return {
    mimetype: mediaType(changes.mimetype ?? metadata.mimetype),
    cacheControl: cacheControl(changes.cacheControl ?? metadata.cacheControl),
    contentEncoding: contentEncoding(changes.contentEncoding ?? metadata.contentEncoding ?? null),
    userMetadata: body.copyMetadata ? user_metadata : null,
    announced: metadata.size,
  }
}

/** DELETE /object/{bucket}/{path}. Errors: Object not found, also when policies hide or keep it. */
export const removeObject = (deps: StorageDeps) => async (c: StorageContext) => {
  const { bucket, name } = keyOf(c)
  checkObjectName(name)
  const removed = await deps.db.asCaller(c.var.caller, (tx) => deleteObjects(tx, bucket, [name]))
  if (removed.length === 0) throw storageErrors.objectNotFound()
  return c.json({ message: 'Successfully deleted' })
}

const RemoveBody = z.object({ prefixes: z.array(z.string()).min(1).max(1000) })

/**
 * DELETE /object/{bucket} with whole names as `prefixes`. What is not there, or what policies hide, is left out of the
 * answer without an error. The rows go first, in one transaction; their bytes when that is certain.
 */
export const removeObjects = (deps: StorageDeps) => async (c: StorageContext) => {
  const { bucket } = keyOf(c)
  const { prefixes } = await readJson(c, RemoveBody)
  const names = prefixes.filter(isObjectName)
  const removed = await deps.db.asCaller(c.var.caller, (tx) => deleteObjects(tx, bucket, names))
  return c.json(removed)
}
