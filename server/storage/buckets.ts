import type { Database, Transaction, Value } from '#server/database/port.ts'
import { storageErrors } from './errors.ts'

/** A bucket as storage-js shows it. */
export interface Bucket {
  id: string
  name: string
  owner: string
  public: boolean
  type: string
  file_size_limit: number | null
  allowed_mime_types: string[] | null
  created_at: string
  updated_at: string
}

/** What can be changed; a missing field stays as it is, null lifts a limit. */
export interface BucketSettings {
  public?: boolean | undefined
  file_size_limit?: number | null | undefined
  allowed_mime_types?: string[] | null | undefined
}

export const isoTime = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`

const columns = `id, name, coalesce(owner_id, '') as owner, public, type, file_size_limit, allowed_mime_types,
  ${isoTime('created_at')}, ${isoTime('updated_at')}`

/** A bucket that the transaction's role may see. Errors: Bucket not found. */
export async function findBucket(tx: Transaction, id: string): Promise<Bucket> {
  const { rows } = await tx.query<Bucket>(`select ${columns} from storage.buckets where id = $1`, [id])
  if (!rows[0]) throw storageErrors.bucketNotFound()
  return rows[0]
}

/** The limits of a bucket bind everybody, whether they may see the bucket or not. Errors: Bucket not found. */
export const bucketLimits = (db: Database, id: string): Promise<Bucket> =>
  db.asOwner('limits of a bucket', (tx) => findBucket(tx, id))

interface BucketSearch {
  limit: number
  offset: number
  sortColumn: 'id' | 'name' | 'created_at' | 'updated_at'
  sortOrder: 'asc' | 'desc'
  search: string
}

/** The buckets that the transaction's role may see and whose names hold the searched text. */
export async function listBuckets(tx: Transaction, search: BucketSearch): Promise<Bucket[]> {
  const { rows } = await tx.query<Bucket>(
    `select ${columns} from storage.buckets b where strpos(lower(name), lower($1)) > 0
     order by b.${search.sortColumn} ${search.sortOrder}, b.id limit $2 offset $3`,
    [search.search, search.limit, search.offset],
  )
  return rows
}

/** Errors: SqlError 23505 when there is one of that name, 42501 when policies refuse. */
export async function insertBucket(
  tx: Transaction,
  id: string,
  { ownerId, ...settings }: BucketSettings & { ownerId: string | null },
): Promise<void> {
  await tx.query(
    `insert into storage.buckets (id, name, owner_id, public, file_size_limit, allowed_mime_types)
     values ($1, $1, $2, $3, $4, ${asTextArray('$5')})`,
    [
      id,
      ownerId,
      settings.public ?? false,
      settings.file_size_limit ?? null,
      json(settings.allowed_mime_types),
    ],
  )
}

/** Errors: Bucket not found, when the role may not see it or may not change it. */
export async function updateBucket(tx: Transaction, id: string, settings: BucketSettings): Promise<void> {
  const { affected } = await tx.query(
    `update storage.buckets set updated_at = now(), public = coalesce($2::boolean, public),
       file_size_limit = case when $3::boolean then $4::bigint else file_size_limit end,
       allowed_mime_types = case when $5::boolean then ${asTextArray('$6')} else allowed_mime_types end
     where id = $1`,
    [
      id,
      settings.public ?? null,
      settings.file_size_limit !== undefined,
      settings.file_size_limit ?? null,
      settings.allowed_mime_types !== undefined,
      json(settings.allowed_mime_types),
    ],
  )
  if (affected === 0) throw storageErrors.bucketNotFound()
}

/** Errors: Bucket not found; SqlError 23503 when objects are still in it. */
export async function deleteBucket(tx: Transaction, id: string): Promise<void> {
  const { affected } = await tx.query('delete from storage.buckets where id = $1', [id])
  if (affected === 0) throw storageErrors.bucketNotFound()
}

/** Arrays travel as JSON, which both drivers write alike. */
const json = (list: string[] | null | undefined): Value => (list ? JSON.stringify(list) : null)
const asTextArray = (parameter: string): string =>
  `(select array_agg(item) from jsonb_array_elements_text(${parameter}::jsonb) item)`
