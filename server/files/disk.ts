import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { measure } from './measure.ts'
import { FileMissing, type Files, FilesFull, type ListedFile } from './port.ts'

const PARTIAL = '.partial'

/** Files in a folder of this machine, spread over 256 subfolders. */
export function openDiskFiles(folder: string): Files {
  const pathOf = (key: string) => join(folder, key.slice(0, 2), key)
  return {
    async write(key, bytes) {
      const path = pathOf(key)
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
    },
    async read(key, range) {
      const file = await open(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new FileMissing(key) : error
      })
      return Readable.toWeb(file.createReadStream(range)) as ReadableStream<Uint8Array>
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    list: () => listFolder(folder),
  }
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
  for (const entry of await entriesOf(folder)) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const facts = await stat(path).catch(() => undefined) // Removed in the meantime.
    if (!facts) continue
    yield {
      key: entry.name.replace(PARTIAL, ''),
      whole: !entry.name.endsWith(PARTIAL),
      modifiedAt: facts.mtime,
      remove: () => rm(path, { force: true }),
    }
  }
}

/** A folder that nothing was ever written to need not exist. */
const entriesOf = (folder: string) =>
  readdir(folder, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
