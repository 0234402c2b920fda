import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { passwordFile } from './cluster.ts'
import { give, type Home } from './home.ts'

/** Where PostgreSQL listens: a folder with a socket, or a port of 127.0.0.1. */
export type Address = { folder: string } | { port: number }

const SOCKET_PORT = 5432
/** The kernel's limit for the path of a socket is 103 bytes on macOS, 107 on Linux. */
const LONGEST_PATH = 103

/**
 * A place to listen at that nobody else on the machine can reach: a socket in a folder of ours, in the cluster's home or,
 * where that path is too long or its file system has no sockets, in the folder for temporary files. Windows: a free port
 * of 127.0.0.1, for which the password stands alone.
 */
export async function chooseAddress({ folder, account }: Home): Promise<Address> {
  if (process.platform === 'win32') return { port: await freePort() }
  const home = join(folder, 'run')
  await rm(home, { recursive: true, force: true })
  await mkdir(home, { mode: 0o700 })
  for (const make of [async () => home, temporary(tmpdir()), temporary('/tmp')]) {
    const place = await make()
    await give(place, account)
    if (await canListen(place)) return { folder: place }
    await rm(place, { recursive: true, force: true })
  }
  return { port: await freePort() }
}

/** Takes away what `chooseAddress` made. */
export async function removeAddress(address: Address): Promise<void> {
  if ('folder' in address) await rm(address.folder, { recursive: true, force: true })
}

const temporary = (parent: string) => () => mkdtemp(join(parent, 'walking-together-'))

async function canListen(folder: string): Promise<boolean> {
  if (Buffer.byteLength(join(folder, `.s.PGSQL.${SOCKET_PORT}`)) > LONGEST_PATH) return false
  return (await listen({ path: join(folder, 'try') })) !== undefined
}

/** A port that is free now. PostgreSQL says so when somebody was faster. */
export async function freePort(): Promise<number> {
  const port = await listen({ host: '127.0.0.1', port: 0 })
  if (!port) throw new Error('127.0.0.1 has no free port')
  return port
}

/** Listens for a moment; the port (0 for a path), or undefined when that is not possible. */
const listen = (where: { path: string } | { host: string; port: number }): Promise<number | undefined> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(undefined))
    probe.listen(where, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

export const addressSettings = (address: Address): Record<string, string> =>
  'folder' in address
    ? {
        listen_addresses: '',
        port: String(SOCKET_PORT),
        unix_socket_directories: address.folder,
        unix_socket_permissions: '0700',
      }
    : { listen_addresses: '127.0.0.1', port: String(address.port), unix_socket_directories: '' }

/** The address of a database there, as libpq writes it. It holds the password: not for logs, nor command lines. */
export function connectionUrl(address: Address, password: string, database = 'postgres'): string {
  const url = new URL(`postgres://postgres:${password}@localhost:${SOCKET_PORT}/${database}`)
  if ('folder' in address) url.searchParams.set('host', address.folder)
  else {
    url.hostname = '127.0.0.1'
    url.port = String(address.port)
  }
  return url.href
}

const Announced = z.union([z.object({ folder: z.string() }), z.object({ port: z.number() })])
const announcement = (folder: string): string => join(folder, 'address.json')

/** Tells workers and tools where the database of this data folder listens. */
export async function announce(folder: string, address: Address): Promise<void> {
  const file = announcement(folder)
  await writeFile(`${file}.new`, JSON.stringify(address), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

export const withdraw = (folder: string): Promise<void> => rm(announcement(folder), { force: true })

/** Where the database of the service that uses this data folder listens; undefined when none has been announced. */
export async function announcedUrl(folder: string): Promise<string | undefined> {
  try {
    const address = Announced.parse(JSON.parse(await readFile(announcement(folder), 'utf8')))
    return connectionUrl(address, await readFile(passwordFile(folder), 'utf8'))
  } catch {
    return undefined
  }
}
