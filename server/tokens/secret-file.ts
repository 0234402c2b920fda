import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The text of a file; undefined when there is no such file. Errors: the file system's own. */
export const readSecretFile = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch(unless('ENOENT'))

/**
 * Makes a file that only its owner may read, unless there is one. Written aside and then linked to its name: that name
 * never stands for half a file, and whoever comes second finds the first one's. It is on the disk when this resolves.
 * Errors: the file system's own.
 */
export async function makeSecretFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeAside(file, text, (aside) => link(aside, file).catch(unless('EEXIST')))
}

/** Puts a text in the place of what the file holds; it is on the disk when this resolves. Errors: the file system's own. */
export async function replaceSecretFile(file: string, text: string): Promise<void> {
  await writeAside(file, text, (aside) => rename(aside, file))
}

async function writeAside(file: string, text: string, putInPlace: (aside: string) => Promise<void>) {
  const aside = `${file}.${randomUUID()}`
  try {
    const handle = await open(aside, 'wx', 0o600)
    await handle
      .writeFile(text)
      .then(() => handle.sync())
      .finally(() => handle.close())
    await putInPlace(aside)
  } finally {
    await rm(aside, { force: true })
  }
  await syncFolder(dirname(file))
}

/** A new name is safe from a power cut once its folder is. Windows has no way to say so, and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Swallows the one error that is expected. */
const unless =
  (code: string) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error
  }
