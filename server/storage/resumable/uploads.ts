import { isUuid } from '#domain/uuid.ts'
import { isSqlError } from '#server/database/errors.ts'
import type { Transaction } from '#server/database/port.ts'
import { storageErrors } from '../errors.ts'
import type { ObjectKey } from '../names.ts'
import type { StorageDeps } from '../request.ts'
import { discard } from '../stored-bytes.ts'

/** An upload in pieces that is under way. */
export interface ResumableUpload {
  id: string
  bucket_id: string
  name: string
  upsert: boolean
  size: number | null
  metadata: Record<string, string | null>
  created_at: string
  parts: UploadPart[]
}

export interface UploadPart {
  start: number
  size: number
  version: string
}

/** Who began an upload: the only one who may go on with it. */
export interface Uploader {
  role: string
  ownerId: string | null
}

type NewUpload = Pick<ResumableUpload, 'id' | 'upsert' | 'size' | 'metadata'>

export async function insertUpload(
  tx: Transaction,
  key: ObjectKey,
  by: Uploader,
  upload: NewUpload,
): Promise<void> {
  const { id, upsert, size, metadata } = upload
  await tx.query(
    `insert into storage.resumable_uploads (id, bucket_id, name, role, owner_id, upsert, size, metadata)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, key.bucket, key.name, by.role, by.ownerId, upsert, size, JSON.stringify(metadata)],
  )
}

/** An upload with what has arrived of it. Errors: Upload not found, also for somebody else's. */
export async function findUpload(tx: Transaction, id: string, by: Uploader): Promise<ResumableUpload> {
  if (!isUuid(id)) throw storageErrors.uploadNotFound()
  const { rows } = await tx.query<ResumableUpload>(
    `select id, bucket_id, name, upsert, size, metadata,
       to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
       (select coalesce(jsonb_agg(jsonb_build_object('start', start, 'size', p.size, 'version', version)
         order by start), '[]') from storage.resumable_parts p where upload_id = id) as parts
     from storage.resumable_uploads u
     where id = $1 and role = $2 and owner_id is not distinct from $3`,
    [id, by.role, by.ownerId],
  )
  if (!rows[0]) throw storageErrors.uploadNotFound()
  return rows[0]
}

/** How much of an upload is here: pieces follow each other without a gap. */
export const arrived = ({ parts }: Pick<ResumableUpload, 'parts'>): number =>
  parts.reduce((sum, { size }) => sum + size, 0)

/** Errors: SqlError 23505 when that piece came from another request already; Upload not found when it was given up. */
export async function insertPart(
  tx: Transaction,
  id: string,
  { start, size, version }: UploadPart,
): Promise<void> {
  await tx
    .query('insert into storage.resumable_parts (upload_id, start, size, version) values ($1, $2, $3, $4)', [
      id,
      start,
      size,
      version,
    ])
    .catch((error) => {
      throw isSqlError(error) && error.code === '23503' ? storageErrors.uploadNotFound() : error
    })
}

export async function declareSize(tx: Transaction, id: string, size: number): Promise<void> {
  await tx.query('update storage.resumable_uploads set size = $2 where id = $1 and size is null', [id, size])
}

/** Forgets uploads, and gives the pieces whose bytes are needed no longer. */
export async function deleteUploads(
  tx: Transaction,
  which: { id: string } | { olderThanSeconds: number },
): Promise<UploadPart[]> {
  const condition = 'id' in which ? 'id = $1' : 'created_at < now() - make_interval(secs => $1)'
  const value = 'id' in which ? which.id : which.olderThanSeconds
  const { rows } = await tx.query<UploadPart>(
    `select p.start, p.size, p.version from storage.resumable_parts p
     join storage.resumable_uploads u on u.id = p.upload_id where u.${condition} for update`,
    [value],
  )
  await tx.query(`delete from storage.resumable_uploads where ${condition}`, [value])
  return rows
}

/** Uploads in pieces can be gone on with for so long (the tus protocol's Upload-Expires). */
export const UPLOAD_LIFETIME_SECONDS = 24 * 3600

/** Forgets uploads that nobody went on with, and removes their pieces. Returns how many pieces there were. */
export async function removeAbandonedUploads(
  deps: Pick<StorageDeps, 'db' | 'files' | 'log'>,
): Promise<number> {
  const parts = await deps.db.asOwner('uploads that nobody went on with', (tx) =>
    deleteUploads(tx, { olderThanSeconds: UPLOAD_LIFETIME_SECONDS }),
  )
  await discard(deps, parts)
  return parts.length
}
