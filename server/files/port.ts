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

/** A file as the sweep sees it. `whole` is false for what a broken write left. */
export interface ListedFile {
  key: string
  whole: boolean
  modifiedAt: Date
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
  /** Everything there is, half-written files included, in no order. */
  list(): AsyncIterable<ListedFile>
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
