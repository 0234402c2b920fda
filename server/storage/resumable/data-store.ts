import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { DataStore, Upload } from '@tus/server'
import { bucketLimits } from '../buckets.ts'
import { storageErrors } from '../errors.ts'
import type { ObjectKey } from '../names.ts'
import type { StorageDeps } from '../request.ts'
import { discard, discardUnlessKept } from '../stored-bytes.ts'
import { maxBytes } from '../upload/store.ts'
import {
  arrived,
  declareSize,
  deleteUploads,
  findUpload,
  insertPart,
  insertUpload,
  type ResumableUpload,
  removeAbandonedUploads,
  UPLOAD_LIFETIME_SECONDS,
  type Uploader,
  type UploadPart,
} from './uploads.ts'

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
