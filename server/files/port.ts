import { createHash } from 'node:crypto'

/** Both ends included, as in HTTP. */
export interface ByteRange {
  start: number
  end: number
}

/** What to write: all of it at hand, or as it arrives. A source that throws ends the write. */
export type Bytes = Uint8Array | AsyncIterable<Uint8Array>

export interface Written {
  size: number
  /** In hexadecimal: the entity tag of every object store. */
  md5: string
}

/** A file as the check of the storage sees it. `whole` is false for what a broken write left. */
export interface ListedFile {
  key: string
  whole: boolean
  modifiedAt: Date
  /** Puts it aside, where nothing reads it. What S3 holds of an unfinished upload cannot be moved, and is given up. */
  quarantine(): Promise<void>
}

/** A file that was put aside, and since when. */
export interface QuarantinedFile {
  key: string
  since: Date
  /** Makes it readable again, unless there is a file of that key by now. */
  putBack(): Promise<void>
  remove(): Promise<void>
}

/**
 * Where the bytes of stored objects live. A key is a version id that we made (a UUID), never a name that somebody
 * chose: names stand in `storage.objects` alone, so no name can reach a path.
 */
export interface Files {
  /** Writes all bytes or nothing, and keeps them through a power cut. Errors: FilesFull, and what the source threw. */
  write(key: string, bytes: Bytes): Promise<Written>
  /** The bytes, or the given range of them. Errors: FileMissing. */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array>>
  /** Does nothing when there is no such file. */
  remove(key: string): Promise<void>
  /** Everything that `write` made, half-written files included, in no order. What others keep in the same place is left out. */
  list(): AsyncIterable<ListedFile>
  quarantined(): AsyncIterable<QuarantinedFile>
  /** The installation that the place belongs to, as `writeMarker` noted it; undefined for a place that nobody claimed. */
  readMarker(): Promise<string | undefined>
  writeMarker(installation: string): Promise<void>
}

const KEY = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Whether a file's name is a key that we made: all others in the same place are somebody else's. */
export const isKey = (name: string): boolean => KEY.test(name)

/** Where a place says whose it is, and where what was put aside lies. Neither can be taken for a key. */
export const MARKER = 'walking-together.json'
export const QUARANTINE = 'quarantine'

export const markerText = (installation: string): string => `${JSON.stringify({ installation })}\n`

/** Errors: a marker that is not one of ours. */
export function installationIn(marker: string): string {
  const { installation } = JSON.parse(marker) as { installation?: unknown }
  if (typeof installation !== 'string') throw new Error(`${MARKER} names no installation`)
  return installation
}

/** The database names a file that is not there: a crash or a lost disk. */
export class FileMissing extends Error {
  constructor(key: string) {
    super(`No bytes are stored under ${key}`)
    this.name = 'FileMissing'
  }
}

/** The disk, or the share of it that we may use, is full. */
export class FilesFull extends Error {
  constructor(cause: unknown) {
    super('There is no room left for files', { cause })
    this.name = 'FilesFull'
  }
}

interface Measured {
  stream: AsyncGenerator<Uint8Array>
  /** Right once all bytes have passed. */
  written(): Written
  /** What the source threw, in a box, so that undefined can be told from nothing. */
  broken(): { error: unknown } | undefined
}

/** Passes bytes on, takes their measure, and remembers how they broke off. */
export function measure(bytes: Bytes): Measured {
  const hash = createHash('md5')
  let size = 0
  let broken: { error: unknown } | undefined
  async function* stream() {
    try {
      for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
        hash.update(chunk)
        size += chunk.length
        yield chunk
      }
    } catch (error) {
      broken = { error }
      throw error
    }
  }
  return { stream: stream(), written: () => ({ size, md5: hash.digest('hex') }), broken: () => broken }
}
