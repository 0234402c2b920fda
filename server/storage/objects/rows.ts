import { isUuid } from '#domain/uuid.ts'
import type { Database, Transaction } from '#server/database/port.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { storageErrors } from '../errors.ts'
import { isObjectName, type ObjectKey } from '../names.ts'

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

const objectColumns = `id, bucket_id, name, owner_id, version, metadata, user_metadata,
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

/** How an upload meets an object of the same name: refuse, replace or make, replace or refuse. */
export type WriteMode = 'insert' | 'upsert' | 'update'

export interface ObjectRow extends ObjectKey {
  ownerId: string | null
  version: string
  metadata: Partial<ObjectMetadata>
  userMetadata: Record<string, unknown> | null
}

/**
 * Writes an object's row and gives its id. Policies asked: INSERT; for upsert SELECT, INSERT and UPDATE; for update
 * SELECT and UPDATE.
 * Errors: Object not found (update), SqlError 23505 (insert) and 42501, Bucket not found.
 */
export async function writeObject(tx: Transaction, row: ObjectRow, mode: WriteMode): Promise<string> {
  await lockNames(tx, [row])
  const existing = mode === 'insert' ? undefined : await findExistingId(tx, row)
  if (mode === 'update') {
    if (!existing) throw storageErrors.objectNotFound()
    await updateRow(tx, row)
  } else {
    await insertRow(tx, row, mode)
  }
  return existing ?? idOf(row)
}

async function findExistingId(tx: Transaction, { bucket, name }: ObjectKey): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>(
    'select id from storage.objects where bucket_id = $1 and name = $2',
    [bucket, name],
  )
  return rows[0]?.id
}

/** A new row's id is its first version: no need to read it back, which would ask SELECT of an uploader. */
const idOf = ({ version }: ObjectRow): string => version

const REPLACE = `owner_id = excluded.owner_id, owner = excluded.owner, version = excluded.version,
  metadata = excluded.metadata, user_metadata = excluded.user_metadata, updated_at = now()`

async function insertRow(tx: Transaction, row: ObjectRow, mode: 'insert' | 'upsert'): Promise<void> {
  const replace = mode === 'upsert' ? `on conflict (bucket_id, name) do update set ${REPLACE}` : ''
  await tx
    .query(
      `insert into storage.objects (bucket_id, name, owner_id, owner, version, metadata, user_metadata, id)
       values ($1, $2, $3, $4, $5, $6, $7, $8) ${replace}`,
      [...columnsOf(row), idOf(row)],
    )
    .catch((error) => {
      // The bucket was deleted while the bytes were on their way.
      throw error.code === '23503' ? storageErrors.bucketNotFound() : error
    })
}

async function updateRow(tx: Transaction, row: ObjectRow): Promise<void> {
  const { affected } = await tx.query(
    `update storage.objects set owner_id = $3, owner = $4, version = $5, metadata = $6, user_metadata = $7,
       updated_at = now() where bucket_id = $1 and name = $2`,
    columnsOf(row),
  )
  if (affected === 0) throw storageErrors.policyRefused()
}

const columnsOf = ({ bucket, name, ownerId, version, metadata, userMetadata }: ObjectRow) => [
  bucket,
  name,
  ownerId,
  isUuid(ownerId) ? ownerId : null,
  version,
  JSON.stringify(metadata),
  userMetadata && JSON.stringify(userMetadata),
]

/** Gives an object another name; its bytes stay where they are. Errors: Object not found; SqlError 23505, 42501. */
export async function moveObject(tx: Transaction, from: ObjectKey, to: ObjectKey): Promise<void> {
  await lockNames(tx, [from, to])
  if (!(await findObject(tx, from))) throw storageErrors.objectNotFound()
  const { affected } = await tx.query(
    'update storage.objects set bucket_id = $3, name = $4, updated_at = now() where bucket_id = $1 and name = $2',
    [from.bucket, from.name, to.bucket, to.name],
  )
  if (affected === 0) throw storageErrors.policyRefused()
}

/** Deletes what policies let the role see and delete; gives what is gone. Without names: everything in the bucket. */
export async function deleteObjects(
  tx: Transaction,
  bucket: string,
  names?: string[],
): Promise<StoredObject[]> {
  const { rows } = await tx.query<StoredObject>(
    `delete from storage.objects where bucket_id = $1
       and ($2::jsonb is null or name in (select jsonb_array_elements_text($2::jsonb)))
     returning ${objectColumns}`,
    [bucket, names ? JSON.stringify(names) : null],
  )
  return rows
}

/**
 * Lets only one transaction at a time write under a name. Without it two first uploads under one name would both
 * believe that there is nothing to replace, and the bytes of the slower one would be forgotten.
 */
async function lockNames(tx: Transaction, keys: ObjectKey[]): Promise<void> {
  // Always in the same order, so that two moves in opposite directions do not wait for each other.
  for (const name of keys.map(({ bucket, name }) => `${bucket}/${name}`).sort()) {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
  }
}
