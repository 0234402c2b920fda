import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type Bytes,
  FileMissing,
  type Files,
  FilesFull,
  installationIn,
  isKey,
  type ListedFile,
  MARKER,
  markerText,
  measure,
  QUARANTINE,
  type QuarantinedFile,
  type Written,
} from './port.ts'

const PARTIAL = '.partial'

/** Files in a folder of this machine, spread over 256 subfolders. */
export function openDiskFiles(folder: string): Files {
  const pathOf = (key: string) => join(folder, key.slice(0, 2), key)
  return {
    write: (key, bytes) => writeWhole(pathOf(key), bytes),
    async read(key, range) {
      const file = await open(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new FileMissing(key) : error
      })
      return Readable.toWeb(file.createReadStream(range)) as ReadableStream<Uint8Array>
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    list: () => listFolder(folder),
    quarantined: () => listQuarantine(folder),
    readMarker: () =>
      readFile(join(folder, MARKER), 'utf8').then(installationIn, (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      }),
    async writeMarker(installation) {
      await writeWhole(join(folder, MARKER), Buffer.from(markerText(installation)))
    },
  }
}

/** All of it or nothing appears under the path, and stays there through a power cut. */
async function writeWhole(path: string, bytes: Bytes): Promise<Written> {
  const temporary = path + PARTIAL
  const { stream, written } = measure(bytes)
  try {
    await makeFolder(dirname(path))
    // Opened before anything can fail: a stream that opens its own file may do so after it was given up.
    const file = await open(temporary, 'w')
    await pipeline(stream, file.createWriteStream({ flush: true }))
    await rename(temporary, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true })
    throw isFull(error) ? new FilesFull(error) : error
  }
  return written()
}

/** A folder that was just made is itself an entry of its parent, which must reach the disk too. */
async function makeFolder(folder: string): Promise<void> {
  if (await mkdir(folder, { recursive: true })) await syncFolder(dirname(folder))
}

/** A renamed file survives a power cut once its folder is on the disk. Windows has no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

async function* listFolder(folder: string): AsyncGenerator<ListedFile> {
  for (const { path, name, modifiedAt } of await filesIn(folder)) {
    const key = name.replace(PARTIAL, '')
    const isOurs = isKey(key) && dirname(path) === join(folder, key.slice(0, 2))
    if (!isOurs) continue
    yield {
      key,
      whole: key === name,
      modifiedAt,
      quarantine: () => setAside(folder, path),
    }
  }
}

/** The time of the file becomes the time of its quarantine. */
async function setAside(folder: string, path: string): Promise<void> {
  const aside = join(folder, QUARANTINE, basename(path))
  await makeFolder(dirname(aside))
  await rename(path, aside)
  const now = new Date()
  await utimes(aside, now, now)
}

async function* listQuarantine(folder: string): AsyncGenerator<QuarantinedFile> {
  for (const { path, name, modifiedAt } of await filesIn(join(folder, QUARANTINE))) {
    const key = name.replace(PARTIAL, '')
    if (!isKey(key)) continue
    const home = join(folder, key.slice(0, 2), name)
    yield {
      key,
      since: modifiedAt,
      remove: () => rm(path, { force: true }),
      async putBack() {
        await makeFolder(dirname(home))
        if (!(await exists(home))) await rename(path, home)
      },
    }
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** All files below a folder. One that nothing was ever written to need not exist. */
async function filesIn(folder: string): Promise<Array<{ path: string; name: string; modifiedAt: Date }>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  const found = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      const facts = await stat(path).catch(() => undefined) // Removed in the meantime.
      return facts && { path, name, modifiedAt: facts.mtime }
    })
  return (await Promise.all(found)).filter((file) => file !== undefined)
}
