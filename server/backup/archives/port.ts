import { SetupError } from '#server/config/setup-error.ts'

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
