import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SetupError } from '#server/config/env.ts'
import {
  ArchiveNotRead,
  ArchiveNotWritten,
  type ArchivePlace,
  type Archives,
  type ListedArchive,
  watchSource,
} from './port.ts'

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

const PARTIAL = '.partial'
const DAY_MS = 86_400_000

/** Archives in a folder of this machine. */
function archivesOnDisk(folder: string): Archives {
  const pathOf = (name: string) => join(folder, name)
  return {
    describe: (name = '') => pathOf(name),
    write: (name, bytes) => writeFileWhole(folder, name, bytes),
    async read(name) {
      await access(pathOf(name)).catch((cause) => {
        throw new ArchiveNotRead(`${pathOf(name)} cannot be read: ${cause.code}`, { cause })
      })
      return createReadStream(pathOf(name), { highWaterMark: 256 * 1024 })
    },
    list: () => listFolder(folder),
    remove: (name) => rm(pathOf(name), { force: true }),
  }
}

async function writeFileWhole(folder: string, name: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const path = join(folder, name)
  const partial = join(folder, `${name}.${randomBytes(4).toString('hex')}${PARTIAL}`)
  const source = watchSource(bytes)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removeAbandoned(folder)
    if (await exists(path)) throw new ArchiveNotWritten(`${path} is there already. Choose another name.`)
    // It holds everything there is, keys included: nobody else's business.
    const file = await open(partial, 'wx', 0o600)
    await pipeline(
      Readable.from(source.bytes, { objectMode: false }),
      file.createWriteStream({ flush: true }),
    )
    await rename(partial, path)
    await syncFolder(folder)
  } catch (error) {
    // Where it could not be made it cannot be removed either, and that would hide why.
    await rm(partial, { force: true }).catch(() => undefined)
    throw source.failed() ?? (error instanceof SetupError ? error : notWritten(path, error))
  }
}

/** What a backup that was killed has left; one that is under way is younger. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^walking-together-.*\.partial$/.test(name)) continue
    const facts = await stat(join(folder, name)).catch(() => undefined)
    if (facts && Date.now() - facts.mtimeMs > DAY_MS) await rm(join(folder, name), { force: true })
  }
}

function notWritten(path: string, cause: unknown): ArchiveNotWritten {
  const { code, message } = cause as NodeJS.ErrnoException
  const why =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'there is no room left. Make room, or choose another place.'
      : `${code ?? message}. Choose a folder that can be written to.`
  return new ArchiveNotWritten(
    `The backup could not be written to ${path}: ${why} Nothing of it was left there.`,
    { cause },
  )
}

async function listFolder(folder: string): Promise<ListedArchive[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const listed: ListedArchive[] = []
  for (const name of names) {
    const facts = await stat(join(folder, name)).catch(() => undefined)
    if (facts?.isFile()) listed.push({ name, bytes: facts.size, modifiedAt: facts.mtime })
  }
  return listed
}

/** A renamed file survives a power cut once its folder is on the disk. Windows has no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
