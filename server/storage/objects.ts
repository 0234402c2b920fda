import type { Database, Transaction } from '#server/database/port.ts'
import type { Caller } from '#server/identity/caller.ts'
import { isoTime } from './buckets.ts'
import { storageErrors } from './errors.ts'
import { isObjectName } from './names.ts'

/** What Supabase keeps in `storage.objects.metadata`. */
export interface ObjectMetadata {
  eTag: string
  size: number
  mimetype: string
  cacheControl: string
  lastModified: string
  contentLength: number
  httpStatusCode: number
  contentEncoding?: string
}

/** A row of `storage.objects`, as storage-js shows it. */
export interface StoredObject {
  id: string
  bucket_id: string
  name: string
  owner_id: string | null
  version: string
  metadata: ObjectMetadata
  user_metadata: Record<string, unknown> | null
  created_at: string
  updated_at: string
  last_accessed_at: string
}

/** Which object: the pair that is unique. */
export interface ObjectKey {
  bucket: string
  name: string
}

export const objectColumns = `id, bucket_id, name, owner_id, version, metadata, user_metadata,
  ${isoTime('created_at')}, ${isoTime('updated_at')}, ${isoTime('last_accessed_at')}`

const FIND = `select ${objectColumns} from storage.objects
  where bucket_id = $1 and name = $2 and version is not null and metadata is not null`
const FIND_PUBLIC = `${FIND} and exists (select from storage.buckets b where b.id = bucket_id and b.public)`

/** An object that the transaction's role may see; undefined when there is none. A row without bytes is none. */
export async function findObject(
  tx: Transaction,
  { bucket, name }: ObjectKey,
  query = FIND,
): Promise<StoredObject | undefined> {
  // A name that could never be stored is not looked for: PostgreSQL has no NUL in texts.
  if (!isObjectName(name) || !isObjectName(bucket)) return undefined
  const { rows } = await tx.query<StoredObject>(query, [bucket, name])
  return rows[0]
}

/** Those of the names that the transaction's role may see. */
export async function existingNames(tx: Transaction, bucket: string, names: string[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ name: string }>(
    `select name from storage.objects where bucket_id = $1
       and name in (select jsonb_array_elements_text($2::jsonb))`,
    [bucket, JSON.stringify(names.filter(isObjectName))],
  )
  return new Set(rows.map(({ name }) => name))
}

/** An object of a bucket that everybody may read by its address. Errors: Object not found. */
export async function readablePublicly(db: Database, key: ObjectKey): Promise<StoredObject> {
  const object = await db.asOwner('public buckets are read without policies', (tx) =>
    findObject(tx, key, FIND_PUBLIC),
  )
  return object ?? refuse()
}

/** An object of a public bucket, or one that policies let the caller see. Errors: Object not found. */
export async function readableBy(db: Database, caller: Caller, key: ObjectKey): Promise<StoredObject> {
  const own = await db.asCaller(caller, (tx) => findObject(tx, key), { readOnly: true })
  return own ?? readablePublicly(db, key)
}

/** An object by an address that somebody signed. Errors: Object not found. */
export async function readableBySignature(db: Database, key: ObjectKey): Promise<StoredObject> {
  const object = await db.asOwner('a signed address was read', (tx) => findObject(tx, key))
  return object ?? refuse()
}

const refuse = (): never => {
  throw storageErrors.objectNotFound()
}
