import { unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join, relative } from 'node:path'

/** Another process owns the data folder. */
export class DataDirInUse extends Error {
  constructor(folder: string) {
    super(
      `Another Walking Together process is using ${folder}. Stop it first, or give this one its own DATA_DIR (several processes can share a DATABASE_URL).`,
    )
    this.name = 'DataDirInUse'
  }
}

/**
 * Claims a data folder for this process by listening on a Unix socket inside it: the kernel lets go of it when the
 * process ends, however it ends, so a crash leaves a socket file that nobody answers on, and that is simply replaced.
 * Returns how to let go. Errors: DataDirInUse.
 */
export async function lockDataDir(folder: string): Promise<() => Promise<void>> {
  const socket = socketPath(folder)
  if (await answers(socket)) throw new DataDirInUse(folder)
  if (process.platform !== 'win32') await unlink(socket).catch(() => undefined)
  const server = await listen(socket).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new DataDirInUse(folder) : error
  })
  return () => new Promise((resolve) => server.close(() => resolve()))
}

/** Socket paths may hold about 100 bytes: the shorter of the absolute and the relative path is used. */
function socketPath(folder: string): string {
  const absolute = join(folder, 'owner.sock')
  if (process.platform === 'win32') return `\\\\.\\pipe\\${absolute.replaceAll(/[\\/:]/g, '-')}`
  const fromHere = relative(process.cwd(), absolute)
  return fromHere.length < absolute.length ? fromHere : absolute
}

const answers = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(socket)
    probe.once('connect', () => resolve(probe.destroy() !== undefined))
    probe.once('error', () => resolve(false))
  })

const listen = (socket: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((probe) => probe.end())
    server.once('error', reject)
    server.listen(socket, () => resolve(server.unref()))
  })
