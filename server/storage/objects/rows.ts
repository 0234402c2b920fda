import type { Database, Transaction } from '#server/database/port.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { storageErrors } from '../errors.ts'
import type { ObjectKey } from '../names.ts'
import { isObjectName } from '../names.ts'

export const isoTime = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`

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

/** A kept picture that was made of another one. */
export interface Variant {
  version: string
  mimetype: string
  etag: string
  size: number
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
  /** What was made of the picture by the preset that was asked for; null: nothing yet. Absent when none was. */
  variant?: Variant | null
}

export const objectColumns = `id, bucket_id, name, owner_id, version, metadata, user_metadata,
  ${isoTime('created_at')}, ${isoTime('updated_at')}, ${isoTime('last_accessed_at')}`

const find = (columns: string) => `select ${columns} from storage.objects
  where bucket_id = $1 and name = $2 and version is not null and metadata is not null`
const IS_PUBLIC = 'exists (select from storage.buckets b where b.id = bucket_id and b.public)'
const FIND = find(objectColumns)
/** A picture together with what was made of it by a preset: one question for the two. Only the owner may ask. */
const FIND_WITH_VARIANT = find(`${objectColumns}, (
  select to_json(made) from (
    select version, mimetype, etag, size from storage.image_variants where source = objects.version and recipe = $3
  ) made) as variant`)

/** An object that the transaction's role may see; undefined when there is none. A row without bytes is none. */
export async function findObject(
  tx: Transaction,
  key: ObjectKey,
  query = FIND,
  preset: readonly string[] = [],
): Promise<StoredObject | undefined> {
  const { bucket, name } = key
  // A name that could never be stored is not looked for: PostgreSQL has no NUL in texts.
  if (!isObjectName(name) || !isObjectName(bucket)) return undefined
  const { rows } = await tx.query<StoredObject>(query, [bucket, name, ...preset], { repeated: true })
  return rows[0]
}

/** As the database's owner, in one message. @param preset a picture's variant is wanted too */
async function findAsOwner(
  db: Database,
  reason: string,
  key: ObjectKey,
  { preset, isPublic }: { preset: string | undefined; isPublic: boolean },
): Promise<StoredObject> {
  const query = `${preset === undefined ? FIND : FIND_WITH_VARIANT}${isPublic ? ` and ${IS_PUBLIC}` : ''}`
  const object = await db.asOwner(
    reason,
    (tx) => findObject(tx, key, query, preset === undefined ? [] : [preset]),
    { single: true },
  )
  return object ?? refuse()
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

/**
 * An object of a bucket that everybody may read by its address. Errors: Object not found.
 * @param preset the name of a preset, to have the picture's variant with it
 */
export const readablePublicly = (db: Database, key: ObjectKey, preset?: string): Promise<StoredObject> =>
  findAsOwner(db, 'public buckets are read without policies', key, { preset, isPublic: true })

/** An object of a public bucket, or one that policies let the caller see. Errors: Object not found. */
export async function readableBy(db: Database, caller: Caller, key: ObjectKey): Promise<StoredObject> {
  const own = await db.asCaller(caller, (tx) => findObject(tx, key), { single: true })
  return own ?? readablePublicly(db, key)
}

/** An object by an address that somebody signed. Errors: Object not found. */
export const readableBySignature = (db: Database, key: ObjectKey, preset?: string): Promise<StoredObject> =>
  findAsOwner(db, 'a signed address was read', key, { preset, isPublic: false })

const refuse = (): never => {
  throw storageErrors.objectNotFound()
}
