import { isUuid } from '#domain/uuid.ts'
import type { Transaction } from '#server/database/port.ts'
import { storageErrors } from '../errors.ts'
import type { ObjectKey } from '../names.ts'
import { findObject, type ObjectMetadata, objectColumns, type StoredObject } from './rows.ts'

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
