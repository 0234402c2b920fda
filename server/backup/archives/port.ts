import { SetupError } from '#server/config/env.ts'

/** An archive as its place lists it. */
export interface ListedArchive {
  name: string
  bytes: number
  modifiedAt: Date
}

/** Where archives are kept, each under a name. */
export interface Archives {
  /** What a person would call the place, or the archive in it: no credentials. */
  describe(name?: string): string
  /** Writes all of it or nothing, and keeps it through a power cut. Errors: ArchiveNotWritten, what the source threw. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Errors: ArchiveNotRead. */
  read(name: string): Promise<AsyncIterable<Uint8Array>>
  list(): Promise<ListedArchive[]>
  remove(name: string): Promise<void>
}

/** The place does not take the archive. Nothing of it is left there. */
export class ArchiveNotWritten extends SetupError {}

/** There is no such archive, or it cannot be read. */
export class ArchiveNotRead extends SetupError {}

/** Where one archive is, or is to be. */
export interface ArchivePlace {
  archives: Archives
  name: string
}

/** Bytes to be written somewhere, and what their source threw: whoever writes them may fail too, and that is another matter. */
export function watchSource(bytes: AsyncIterable<Uint8Array>): {
  bytes: AsyncIterable<Uint8Array>
  failed(): unknown
} {
  let failed: unknown
  async function* watched() {
    const source = bytes[Symbol.asyncIterator]()
    const next = () =>
      source.next().catch((error) => {
        failed = error
        throw error
      })
    try {
      // Not `for await`: a stream that fails throws its own error in here, at the yield.
      for (let chunk = await next(); !chunk.done; chunk = await next()) yield chunk.value
    } finally {
      await source.return?.()
    }
  }
  return { bytes: watched(), failed: () => failed }
}
