import { basename, dirname, resolve } from 'node:path'
import { SetupError } from '#server/config/setup-error.ts'
import { archivesOnDisk } from './disk.ts'
import type { ArchivePlace, Archives } from './port.ts'

/** The place of the archive that an address names: a path, or `s3://bucket/name.tar?endpoint=…&region=…`. */
export async function placeOfArchive(address: string): Promise<ArchivePlace> {
  if (!address.startsWith('s3:')) {
    const path = resolve(address)
    return { archives: archivesOnDisk(dirname(path)), name: basename(path) }
  }
  const url = parseUrl(address)
  const name = basename(url.pathname)
  if (!name) throw new SetupError('Name the archive too: s3://bucket/name.tar?endpoint=…&region=…')
  url.pathname = dirname(url.pathname)
  return { archives: await openArchives(url.href), name }
}

/** A folder, or `s3://bucket/path?endpoint=…&region=…`, in which archives are kept. */
export async function openArchives(address: string): Promise<Archives> {
  if (!address.startsWith('s3:')) return archivesOnDisk(resolve(address))
  // The client is worth 30 MB of memory, and is loaded only when it is used.
  return (await import('./s3.ts')).archivesInS3(address)
}

function parseUrl(address: string): URL {
  try {
    return new URL(address)
  } catch (cause) {
    throw new SetupError('An archive in S3 is named as s3://bucket/name.tar?endpoint=…&region=…', { cause })
  }
}
