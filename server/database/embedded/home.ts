import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { SetupError } from '#server/config/env.ts'

const run = promisify(execFile)

/** Whom PostgreSQL runs as. Empty: whoever runs the service; PostgreSQL refuses root, so root names somebody else. */
export type Account = { uid: number; gid: number } | Record<string, never>

/** Where an installation's cluster lives, and whom it belongs to. */
export interface Home {
  folder: string
  account: Account
}

/** The owner can mend what is wrong with the folder of the database. */
export class DatabaseFolderUnusable extends SetupError {}

/** `nobody` of every Linux: no account has to be added to the machine. */
const NOBODY = { uid: 65_534, gid: 65_534 }
/** Folders that every account may enter, for root's installations that lie where it alone may. */
const ELSEWHERE = '/var/lib/walking-together'

const isRoot = (): boolean => process.getuid?.() === 0

/**
 * Settles where the cluster of the installation with this folder (`DATA_DIR/postgres`) lives. That is the folder itself,
 * unless root runs the service and the folder lies where no other account may enter: then a small file in it says where.
 * Errors: DatabaseFolderUnusable.
 */
export async function settleHome(folder: string): Promise<Home> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!isRoot()) return { folder, account: await mustBeOurs(folder) }
  const elsewhere = await readLocation(folder)
  if (elsewhere) return openElsewhere(folder, elsewhere)
  const cluster = await stat(join(folder, 'cluster')).catch(() => undefined)
  // A cluster that another user made stays that user's, so that root's tools do not shut the service out.
  const account = cluster && cluster.uid !== 0 ? { uid: cluster.uid, gid: cluster.gid } : NOBODY
  await give(folder, account)
  if (await letIn(folder, account)) return { folder, account }
  if (cluster)
    throw new DatabaseFolderUnusable(
      `The database in ${folder} belongs to the user ${account.uid}, who may not enter that folder. Move DATA_DIR to where every user may enter, as under /srv.`,
    )
  return moveElsewhere(folder, account)
}

/** Whether the installation with this folder has a cluster, made earlier. */
export async function hasCluster(folder: string): Promise<boolean> {
  const home = (await readLocation(folder)) ?? folder
  return stat(join(home, 'cluster')).then(
    () => true,
    () => false,
  )
}

export async function give(path: string, { uid, gid }: Account): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

async function mustBeOurs(folder: string): Promise<Account> {
  const elsewhere = await readLocation(folder).catch(() => undefined)
  const cluster = await stat(elsewhere ?? join(folder, 'cluster')).catch(
    (error: NodeJS.ErrnoException) => error,
  )
  const missing = cluster instanceof Error
  if (missing && cluster.code === 'ENOENT' && !elsewhere) return {}
  if (!missing && (process.getuid === undefined || cluster.uid === process.getuid()) && !elsewhere) return {}
  throw new DatabaseFolderUnusable(
    `The database in ${folder} belongs to another user (${missing ? 'root' : cluster.uid}). Start the service as that user, or give the folder to this one: chown -R ${process.getuid?.()} ${dirname(folder)}`,
  )
}

/** Whether the account may enter the folder, after the data folder above it has been opened to its group if need be. */
async function letIn(folder: string, account: Account): Promise<boolean> {
  if (await mayEnter(folder, account)) return true
  const dataDir = dirname(folder)
  const { uid, mode, gid } = await stat(dataDir)
  if (uid !== 0 || account.gid === undefined || !(await mayEnter(dirname(dataDir), account))) return false
  // To pass through, not to list: what else is in it stays root's.
  await chown(dataDir, 0, account.gid)
  await chmod(dataDir, 0o710)
  if (await mayEnter(folder, account)) return true
  await chown(dataDir, uid, gid)
  await chmod(dataDir, mode & 0o7777)
  return false
}

/** Asked as that account: the rights of root, and of lists of access, count for nothing or cannot be reckoned. */
const mayEnter = (folder: string, account: Account): Promise<boolean> =>
  run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...account, cwd: '/' }).then(
    () => true,
    () => false,
  )

const Location = z.object({ folder: z.string().startsWith('/') })

async function readLocation(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, 'location.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    return Location.parse(JSON.parse(text)).folder
  } catch (cause) {
    const message = `${join(folder, 'location.json')} should say where the database is, and cannot be read. Restore it from a backup.`
    throw new DatabaseFolderUnusable(message, { cause })
  }
}

/** The other half of the agreement: which installation a cluster elsewhere belongs to. */
const OWNER = 'installation'

async function openElsewhere(folder: string, home: string): Promise<Home> {
  const owner = await readFile(join(home, OWNER), 'utf8').catch(() => undefined)
  const here = await realpath(folder)
  if (owner === undefined)
    throw new DatabaseFolderUnusable(
      `The database of ${folder} lives in ${home}, and is not there. Put that folder back, or restore a backup into an empty DATA_DIR.`,
    )
  if (owner !== here) {
    const another = await readLocation(owner).catch(() => undefined)
    if (another === home)
      throw new DatabaseFolderUnusable(
        `${folder} is a copy of ${owner}, and both name the database in ${home}. Use "npm run backup" and "npm run restore" to make a second installation.`,
      )
    // It has been moved: the folder that the database knew is no more.
    await writeFile(join(home, OWNER), here)
  }
  const { uid, gid } = await stat(home)
  return { folder: home, account: { uid, gid } }
}

async function moveElsewhere(folder: string, account: Account): Promise<Home> {
  const home = join(ELSEWHERE, randomUUID())
  try {
    await mkdir(ELSEWHERE, { recursive: true, mode: 0o755 })
    await mkdir(home, { mode: 0o700 })
    await writeFile(join(home, OWNER), await realpath(folder))
    await give(home, account)
    if (!(await mayEnter(home, account))) throw new Error(`the user ${account.uid} may not enter it`)
    const location = join(folder, 'location.json')
    await writeFile(`${location}.new`, JSON.stringify({ folder: home }), { flush: true })
    await rename(`${location}.new`, location)
  } catch (cause) {
    throw new DatabaseFolderUnusable(
      `PostgreSQL must not run as root, and no other user may enter ${folder}; its place would be ${home}, which cannot be used (${(cause as Error).message}). Run the service as an ordinary user, or set DATA_DIR to a folder that every user may enter.`,
      { cause },
    )
  }
  return { folder: home, account }
}
