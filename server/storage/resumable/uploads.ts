import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { DataStore, Upload } from '@tus/server'
import { isUuid } from '#domain/uuid.ts'
import { isSqlError, type Transaction } from '#server/database/port.ts'
import { bucketLimits } from '../buckets.ts'
import { storageErrors } from '../errors.ts'
import type { ObjectKey } from '../names.ts'
import type { StorageDeps } from '../request.ts'
import { discard, discardUnlessKept } from '../stored-bytes.ts'
import { maxBytes } from '../upload/store.ts'

/** An upload in pieces that is under way. */
interface ResumableUpload {
  id: string
  bucket_id: string
  name: string
  upsert: boolean
  size: number | null
  metadata: Record<string, string | null>
  created_at: string
  parts: UploadPart[]
}

interface UploadPart {
  start: number
  size: number
  version: string
}

/** Who began an upload: the only one who may go on with it. */
interface Uploader {
  role: string
  ownerId: string | null
}

type NewUpload = Pick<ResumableUpload, 'id' | 'upsert' | 'size' | 'metadata'>

async function insertUpload(tx: Transaction, key: ObjectKey, by: Uploader, upload: NewUpload): Promise<void> {
  const { id, upsert, size, metadata } = upload
  await tx.query(
    `insert into storage.resumable_uploads (id, bucket_id, name, role, owner_id, upsert, size, metadata)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, key.bucket, key.name, by.role, by.ownerId, upsert, size, JSON.stringify(metadata)],
  )
}

/** An upload with what has arrived of it. Errors: Upload not found, also for somebody else's. */
async function findUpload(tx: Transaction, id: string, by: Uploader): Promise<ResumableUpload> {
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
const arrived = ({ parts }: Pick<ResumableUpload, 'parts'>): number =>
  parts.reduce((sum, { size }) => sum + size, 0)

/** Errors: SqlError 23505 when that piece came from another request already; Upload not found when it was given up. */
async function insertPart(tx: Transaction, id: string, { start, size, version }: UploadPart): Promise<void> {
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

async function declareSize(tx: Transaction, id: string, size: number): Promise<void> {
  await tx.query('update storage.resumable_uploads set size = $2 where id = $1 and size is null', [id, size])
}

/** Forgets uploads, and gives the pieces whose bytes are needed no longer. */
async function deleteUploads(
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
const UPLOAD_LIFETIME_SECONDS = 24 * 3600

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

/** What a broken connection can cost at most: pieces are kept as soon as they are this large. */
const PART_BYTES = 5 * 1024 * 1024
/** Somebody who sends single bytes shall not fill the table. */
const MAX_PARTS = 10_000

/**
 * Keeps uploads under way for @tus/server: pieces as files of their own, listed in the database, so that any process can
 * go on with them. Made for one request. The piece that completes an upload is not listed but kept in `last`: should
 * making the object fail, or the process end, the upload still waits for that piece.
 */
export class ResumableStore extends DataStore {
  last: UploadPart | undefined
  readonly #deps: StorageDeps
  readonly #by: Uploader
  readonly #upsert: boolean

  constructor(deps: StorageDeps, by: Uploader, { upsert }: { upsert: boolean }) {
    super()
    this.extensions = [
      'creation',
      'creation-with-upload',
      'creation-defer-length',
      'termination',
      'expiration',
    ]
    this.#deps = deps
    this.#by = by
    this.#upsert = upsert
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.deleteExpired()
    const { id, metadata = {}, size = null } = upload
    const row = { id, metadata, size, upsert: this.#upsert }
    await this.#deps.db.asOwner('an upload in pieces', (tx) =>
      insertUpload(tx, keyIn(metadata), this.#by, row),
    )
    upload.creation_date = new Date().toISOString()
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const found = await this.find(id)
    const { metadata, size, created_at: creation_date } = found
    return new Upload({ id, metadata, offset: arrived(found), creation_date, ...(size !== null && { size }) })
  }

  /** Errors: Upload not found, also for somebody else's. */
  find(id: string): Promise<ResumableUpload> {
    return this.#deps.db.asOwner('an upload in pieces', (tx) => findUpload(tx, id, this.#by))
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const upload = await this.find(id)
    const limit = maxBytes(await bucketLimits(this.#deps.db, upload.bucket_id))
    const runs = inRuns(stream)
    let start = offset
    for (let count = upload.parts.length; !(await runs.isOver()); count++) {
      if (count >= MAX_PARTS) throw storageErrors.invalid('The upload comes in too many pieces')
      const version = randomUUID()
      const { size } = await this.#deps.files.write(version, runs.take(PART_BYTES))
      const part = { start, size, version }
      start += size
      if (start > limit) {
        await discard(this.#deps, [part])
        throw storageErrors.tooLarge()
      }
      if (start === upload.size) this.last = part
      else await this.#keep(id, part)
    }
    return start
  }

  async #keep(id: string, part: UploadPart): Promise<void> {
    await this.#deps.db
      .asOwner('a piece of an upload', (tx) => insertPart(tx, id, part))
      .catch((error) => discardUnlessKept(this.#deps, part, error))
  }

  override async declareUploadLength(id: string, size: number): Promise<void> {
    await this.#deps.db.asOwner('the size of an upload', (tx) => declareSize(tx, id, size))
  }

  override async remove(id: string): Promise<void> {
    await this.find(id)
    await discard(
      this.#deps,
      await this.#deps.db.asOwner('an upload ends', (tx) => deleteUploads(tx, { id })),
    )
  }

  override async deleteExpired(): Promise<number> {
    return removeAbandonedUploads(this.#deps)
  }

  override getExpiration(): number {
    return UPLOAD_LIFETIME_SECONDS * 1000
  }

  /** All bytes of an upload, in order. */
  async *assemble(id: string): AsyncGenerator<Uint8Array> {
    const { parts } = await this.find(id)
    for (const { version } of this.last ? [...parts, this.last] : parts) {
      yield* (await this.#deps.files.read(version)) as unknown as AsyncIterable<Uint8Array>
    }
  }
}

/** Which object an upload is to become, as Upload-Metadata says. */
export const keyIn = (metadata: Upload['metadata'] = {}): ObjectKey => ({
  bucket: metadata.bucketName ?? '',
  name: metadata.objectName ?? '',
})

/** A stream of bytes that is read in runs of a given length. */
interface Runs {
  /** Whether nothing is left. */
  isOver(): Promise<boolean>
  /** The next bytes, at most so many. */
  take(length: number): AsyncGenerator<Uint8Array>
}

/** Lets a stream be read in runs, without holding more than one chunk of it. */
export function inRuns(source: AsyncIterable<Uint8Array>): Runs {
  const chunks = source[Symbol.asyncIterator]()
  let held: Uint8Array | undefined = new Uint8Array()
  const peek = async (): Promise<Uint8Array | undefined> => {
    while (held?.length === 0) held = (await chunks.next()).value
    return held
  }
  async function* take(length: number) {
    for (let left = length; left > 0; ) {
      const chunk = await peek()
      if (!chunk) return
      const piece = chunk.subarray(0, left)
      held = chunk.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }
  return { isOver: async () => (await peek()) === undefined, take }
}
