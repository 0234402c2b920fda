import { randomUUID } from 'node:crypto'
import { detectType, fitsLabel, HEAD_BYTES, isAllowed, isMedia } from '#domain/media/media-type.ts'
import type { Database } from '#server/database/port.ts'
import type { Written } from '#server/files/port.ts'
import { type Bucket, bucketLimits } from '../buckets.ts'
import { storageErrors } from '../errors.ts'
import { stripMetadata } from '../images/strip-metadata.ts'
import type { ObjectKey } from '../names.ts'
import { checkObjectName } from '../names.ts'
import { type ObjectMetadata, type ObjectRow, type WriteMode, writeObject } from '../objects/rows.ts'
import { type Access, rehearse, type StorageDeps } from '../request.ts'
import { discardUnlessKept } from '../stored-bytes.ts'

/** An upload as it comes in: what is said about the bytes, and the bytes, which have yet to arrive. */
export interface Incoming {
  mimetype: string
  cacheControl: string
  contentEncoding: string | undefined
  userMetadata: Record<string, unknown> | null
  /** How many bytes there will be at least, if that was announced. */
  announced: number | undefined
  bytes: AsyncIterable<Uint8Array>
}

/** The largest object of a bucket that sets no limit: what S3 takes in one piece. */
const MAX_BYTES = 5 * 1024 ** 3

interface Announced {
  access: Access
  key: ObjectKey
  mode: WriteMode
  incoming: Omit<Incoming, 'bytes'>
}

interface Upload extends Announced {
  incoming: Incoming
}

/**
 * Stores an upload: bytes first, under a version of their own, then the row that names them. Whatever fails, neither is
 * left; what was replaced stays a while for those who are reading it. Gives the object's id.
 * Errors: all of a refused upload (name, bucket, policy, type, size), FilesFull, and a body that breaks off.
 */
export async function storeUpload(deps: StorageDeps, upload: Upload): Promise<string> {
  const { access, mode, incoming } = upload
  const bucket = await admit(deps.db, upload)
  const row = rowOf(upload)
  const inspected = inspect(incoming.bytes, rulesOf(bucket, incoming))
  const written = await deps.files.write(row.version, stripMetadata(inspected, incoming.mimetype))
  const whole = { ...row, metadata: completeMetadata(row.metadata, written) }
  return access
    .transaction((tx) => writeObject(tx, whole, mode))
    .catch((error) => discardUnlessKept(deps, whole, error))
}

/** Refuses what can be refused before a byte has arrived. Gives the bucket. */
export async function admit(db: Database, announced: Announced): Promise<Bucket> {
  const { access, key, mode, incoming } = announced
  checkObjectName(key.name)
  const bucket = await bucketLimits(db, key.bucket)
  await rehearse(access, (tx) => writeObject(tx, rowOf(announced), mode))
  checkLimits(bucket, incoming)
  return bucket
}

/** Errors: InvalidMimeType, EntityTooLarge. */
export function checkLimits(
  bucket: Bucket,
  { mimetype, announced = 0 }: Pick<Incoming, 'mimetype' | 'announced'>,
): void {
  if (!isAllowed(mimetype, bucket.allowed_mime_types)) throw storageErrors.mimeType(mimetype)
  if (announced > maxBytes(bucket)) throw storageErrors.tooLarge()
}

export const maxBytes = (bucket: Bucket): number => Math.min(bucket.file_size_limit ?? MAX_BYTES, MAX_BYTES)

const rulesOf = (bucket: Bucket, { mimetype }: Incoming) => ({
  label: mimetype,
  allowedTypes: bucket.allowed_mime_types,
  maxBytes: maxBytes(bucket),
})

const rowOf = ({ access, key, incoming }: Announced): ObjectRow => ({
  ...key,
  ownerId: access.ownerId,
  version: randomUUID(),
  userMetadata: incoming.userMetadata,
  metadata: {
    mimetype: incoming.mimetype,
    cacheControl: incoming.cacheControl,
    ...(incoming.contentEncoding && { contentEncoding: incoming.contentEncoding }),
  },
})

const completeMetadata = (
  known: Partial<ObjectMetadata>,
  { size, md5 }: Written,
): Partial<ObjectMetadata> => ({
  ...known,
  eTag: `"${md5}"`,
  size,
  contentLength: size,
  lastModified: new Date().toISOString(),
  httpStatusCode: 200,
})

interface Rules {
  /** What the sender says that it is. */
  label: string
  allowedTypes: readonly string[] | null
  maxBytes: number
}

/**
 * Passes an upload on, and breaks it off as soon as it grows too large or turns out not to be what its label says: before
 * a single byte of a wrong type has passed. Errors: EntityTooLarge, InvalidMimeType, and what the source throws.
 */
export async function* inspect(bytes: AsyncIterable<Uint8Array>, rules: Rules): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = []
  let size = 0
  let isChecked = false
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > rules.maxBytes) throw storageErrors.tooLarge()
    if (isChecked) {
      yield chunk
      continue
    }
    held.push(chunk)
    if (size < HEAD_BYTES) continue
    await checkContent(Buffer.concat(held), rules)
    isChecked = true
    yield* held.splice(0)
  }
  if (isChecked) return
  await checkContent(Buffer.concat(held), rules)
  yield* held
}

async function checkContent(head: Uint8Array, { label, allowedTypes }: Rules): Promise<void> {
  if (head.length === 0) {
    if (isMedia(label)) throw storageErrors.empty(label)
    return
  }
  if (!fitsLabel(label, await detectType(head), allowedTypes)) throw storageErrors.notWhatItSays(label)
}
