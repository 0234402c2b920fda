import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, mkdir, open, readdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'
import { DatabaseFolderUnusable, give, type Home } from './home.ts'

const run = promisify(execFile)
const MB = 1024 * 1024

/** A cluster of PostgreSQL that has yet to be started. */
export interface Cluster extends Home, Binaries {
  /** What PostgreSQL calls its data directory. */
  data: string
  /** Of its superuser `postgres`. */
  password: string
}

/** What a cluster, its log of changes and the starter library need at first. */
const ROOM_FOR_A_CLUSTER = 160 * MB
const UNFINISHED = 'cluster.new-'

/**
 * The cluster in `home`, which is made when there is none. `dataDir/postgres` is `folder`: the password stays there.
 * Errors: DatabaseFolderUnusable, with what to do.
 */
export async function ensureCluster(folder: string, home: Home, binaries: Binaries): Promise<Cluster> {
  await refusePglite(folder)
  const data = join(home.folder, 'cluster')
  const version = await readVersion(data)
  if (version === undefined) await removeUnfinished(home.folder)
  else await mustFit(data, version, binaries.major)
  const password = await keepPassword(folder, { mayMake: version === undefined })
  const cluster = { ...home, ...binaries, data, password }
  if (version === undefined) await makeCluster(cluster)
  return cluster
}

/** What earlier releases kept in this folder, by default. */
async function refusePglite(folder: string): Promise<void> {
  if (!(await exists(join(folder, 'PG_VERSION')))) return
  throw new DatabaseFolderUnusable(
    `${folder} holds a database of an earlier release (PGlite), which PostgreSQL cannot open. Nothing in it has been changed. docs/deployment.md, "From PGlite", says how to move it; to begin anew instead, rename that folder.`,
  )
}

/** The major version that made the cluster; undefined when there is none. */
async function readVersion(data: string): Promise<number | undefined> {
  const text = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (text !== undefined) return Number(text)
  const names = await readdir(data).catch((error: NodeJS.ErrnoException) => error)
  if (names instanceof Error && names.code === 'ENOENT') return undefined
  throw damaged(data, 'PG_VERSION is missing')
}

async function mustFit(data: string, version: number, major: number): Promise<void> {
  if (version !== major)
    throw new DatabaseFolderUnusable(
      `The database in ${data} was made by PostgreSQL ${version}, and this release runs PostgreSQL ${major}. Nothing has been changed. Start the release that made it, make a backup there (npm run backup), and restore it with this one into an empty DATA_DIR.`,
    )
  if (!(await exists(join(data, 'global/pg_control')))) throw damaged(data, 'global/pg_control is missing')
}

/** Something of the cluster is lost or broken, in the words of whoever noticed. */
export const damaged = (data: string, why: string): DatabaseFolderUnusable =>
  new DatabaseFolderUnusable(
    `The database in ${data} is damaged and does not start: ${why}. Nothing has been changed. Keep a copy of that folder, then restore the last backup: npm run restore -- FILE.`,
  )

/** What a start that was cut off has left behind. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(UNFINISHED)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

async function keepPassword(folder: string, { mayMake }: { mayMake: boolean }): Promise<string> {
  const file = passwordFile(folder)
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept) return kept
  if (!mayMake)
    throw new DatabaseFolderUnusable(
      `${file} is missing: it holds the password of the database beside it. Put it back, or restore a backup.`,
    )
  const made = randomBytes(24).toString('base64url')
  await writeFile(`${file}.new`, made, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  return made
}

export const passwordFile = (folder: string): string => join(folder, 'password')

/** Made under another name and renamed when it is whole and on the disk: no half cluster is ever found. */
async function makeCluster(cluster: Cluster): Promise<void> {
  const { folder, data } = cluster
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < ROOM_FOR_A_CLUSTER) throw noRoom(folder)
  const making = join(folder, UNFINISHED + randomBytes(6).toString('hex'))
  try {
    await initialise(cluster, making)
    await rename(making, data)
    await syncFolder(folder)
  } catch (error) {
    await rm(making, { recursive: true, force: true })
    throw /No space left|ENOSPC/.test(String(error)) ? noRoom(folder) : error
  }
}

const noRoom = (folder: string): DatabaseFolderUnusable =>
  new DatabaseFolderUnusable(
    `There is no room for a database in ${folder}: at least ${ROOM_FOR_A_CLUSTER / MB} MB must be free. Make room, or set DATA_DIR to a folder on another disk.`,
  )

/**
 * Runs initdb. Text is ordered by code points, and letters are those of Unicode, whatever the machine's own language;
 * `durable: false` does not wait for the disk, for tests.
 */
export async function initialise(
  { account, bin, password }: Pick<Cluster, 'account' | 'bin' | 'password'>,
  data: string,
  { durable = true } = {},
): Promise<void> {
  const pwfile = `${data}.password`
  await writeFile(pwfile, password, { mode: 0o600 })
  try {
    await give(pwfile, account)
    const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${pwfile}`]
    const text = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
    const safety = ['--data-checksums', ...(durable ? [] : ['--no-sync'])]
    await makeOwned(data, account)
    await run(join(bin, 'initdb'), ['-D', data, ...access, ...text, `--lc-ctype=${LETTERS}`, ...safety], {
      ...account,
      cwd: data,
      env: bareEnvironment(),
    })
  } finally {
    await rm(pwfile, { force: true })
  }
}

/** Who asks the C library instead of PostgreSQL, as pg_trgm does, hears of the same letters. */
const LETTERS = { linux: 'C.UTF-8', darwin: 'UTF-8' }[process.platform as 'linux' | 'darwin'] ?? 'C'

async function makeOwned(data: string, account: Home['account']): Promise<void> {
  await mkdir(data, { mode: 0o700 })
  await give(data, account)
}

/** What the programs need of our environment: none of our secrets, and none of libpq's variables. */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, SystemRoot, TEMP } = process.env
  return { PATH, TMPDIR, SystemRoot, TEMP, LC_ALL: 'C' }
}

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

/** Connections that one process of the service may hold: its pool, its listeners, its jobs. */
const CONNECTIONS_PER_PROCESS = 20
/** For tools beside it, autovacuum's look around, and the owner's own client. */
const FURTHER_CONNECTIONS = 20

export type ServerSettings = Readonly<Record<string, string>>

/**
 * How our own PostgreSQL runs. Given at each start rather than written into the cluster, so that a new release can change
 * it. What an acknowledged commit promises is said outright.
 */
export const serverSettings = (processes: number): ServerSettings => ({
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: String(CONNECTIONS_PER_PROCESS * processes + FURTHER_CONNECTIONS),
  ...modestMemory,
  ...quickRecovery,
  ...patience,
  ...quietLog,
  ...plain,
})

/** The service and its database share a small machine, whose page cache holds the same files anyway. */
const modestMemory = {
  shared_buffers: '32MB',
  wal_buffers: '1MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  // Neither workers that read ahead, nor those that share one query: the questions here are short.
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  max_worker_processes: '2',
  max_logical_replication_workers: '0',
  autovacuum_max_workers: '1',
  max_wal_senders: '0',
  huge_pages: 'off',
  jit: 'off',
}

/** As much log as can be read again within two or three seconds of a start after a crash. */
const quickRecovery = { max_wal_size: '192MB', min_wal_size: '64MB', checkpoint_timeout: '5min' }

/** Requests bring limits of their own (`postgres.ts`); these are for whatever brings none. */
const patience = {
  idle_in_transaction_session_timeout: '1h',
  client_connection_check_interval: '2s',
  authentication_timeout: '10s',
  tcp_keepalives_idle: '30',
}

/** Its own troubles, and no statements or values: those are private. */
const quietLog = {
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  log_line_prefix: '',
  log_destination: 'stderr',
  logging_collector: 'off',
  lc_messages: 'C',
}

const plain = { TimeZone: 'UTC', log_timezone: 'UTC', cluster_name: 'walking-together' }
