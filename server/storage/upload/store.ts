import { randomUUID } from 'node:crypto'
import { isAllowed } from '#domain/media/media-type.ts'
import type { Database } from '#server/database/port.ts'
import type { Written } from '#server/files/port.ts'
import { type Access, rehearse } from '../access.ts'
import { type Bucket, bucketLimits } from '../buckets.ts'
import type { StorageDeps } from '../deps.ts'
import { storageErrors } from '../errors.ts'
import { stripMetadata } from '../images/strip-metadata.ts'
import { checkObjectName } from '../names.ts'
import { type ObjectRow, type WriteMode, writeObject } from '../object-writes.ts'
import type { ObjectKey, ObjectMetadata } from '../objects.ts'
import { discardUnlessKept } from '../stored-bytes.ts'
import { inspect } from './inspect.ts'
import type { Incoming } from './receive.ts'

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
