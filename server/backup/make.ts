import { encodeArchive } from './archive.ts'
import type { ArchivePlace } from './archives/port.ts'
import { dump, type Source } from './dump.ts'
import type { Manifest } from './manifest.ts'

/** An archive that was just written. */
export interface Made {
  manifest: Manifest
  bytes: number
}

/** The name of an archive of that moment: sorted by name is sorted by time. */
export const archiveName = (at: Date, why = ''): string =>
  `walking-together-${why && `${why}-`}${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.tar`

/**
 * Writes an archive of everything, while the service runs or when it is stopped. Needs some 30 MB of memory, whatever the
 * size. Errors: ArchiveNotWritten, DatabaseUnavailable, and what files may throw; then nothing is left in the place.
 */
export async function makeBackup(source: Source, { archives, name }: ArchivePlace): Promise<Made> {
  let manifest: Manifest | undefined
  let bytes = 0
  const pieces = dump(source, (made) => {
    manifest = made
  })
  await archives.write(
    name,
    counted(encodeArchive(pieces), (length) => (bytes += length)),
  )
  if (!manifest) throw new Error('An archive was written without its manifest')
  return { manifest, bytes }
}

async function* counted(bytes: AsyncIterable<Uint8Array>, count: (length: number) => void) {
  for await (const chunk of bytes) {
    count(chunk.length)
    yield chunk
  }
}
