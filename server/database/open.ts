// How a database is opened: one by its address, the service's own, and that of a tool; with the lock on the data folder.
import cluster from 'node:cluster'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Logger } from 'pino'
import type { Config, DatabaseConfig } from '#server/config/config.ts'
import { SetupError } from '#server/config/env.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { announcedUrl } from './embedded/address.ts'
import { hasCluster } from './embedded/home.ts'
import { runOwnPostgres } from './embedded/supervisor.ts'
import { endListenersOnClose } from './listen.ts'
import { migrate } from './migrate.ts'
import {
  type CallerOptions,
  type Database,
  type Driver,
  isSqlError,
  SqlError,
  type TransactionOptions,
} from './port.ts'
import { openPostgres } from './postgres.ts'

/** Opens a database by its address. */
export async function openDatabase(
  { url }: Extract<DatabaseConfig, { kind: 'postgres' }>,
  log: Logger,
): Promise<Database> {
  return createDatabase(openPostgres(url, log), log)
}

/** The port over an adapter: role, claims and settings are set inside each transaction. */
function createDatabase(adapter: Driver, log: Logger): Database {
  const driver = endListenersOnClose(adapter)
  return {
    listen: driver.listen,
    usage: driver.usage,
    close: () => driver.close(),
    asCaller: async (caller, work, options = {}) => driver.transaction(work, callerOptions(caller, options)),
    asOwner: (reason, work, { unlimited = false, ...options } = {}) => {
      log.debug({ reason }, 'database as owner')
      const limitMs = unlimited ? 0 : options.single ? LIMIT_MS.authenticated : OWNER_LIMIT_MS
      return driver.transaction(work, { ...options, limitMs, readOnly: options.single ?? false })
    },
  }
}

/** How long a statement may take: what a hosted project gives its roles. */
const LIMIT_MS = { anon: 3_000, authenticated: 8_000, service_role: 8_000 }
/** Our own work behind a request. */
const OWNER_LIMIT_MS = 30_000

/** Who it is comes last, so that no setting of the request can take its place. */
const callerOptions = (
  { role, claims }: Caller,
  { readOnly, settings = {}, single = false, signal }: CallerOptions,
): TransactionOptions => ({
  limitMs: LIMIT_MS[role],
  readOnly: readOnly ?? single,
  single,
  signal,
  settings: [
    ...Object.entries(settings).map(requestSetting),
    ['request.jwt.claims', JSON.stringify(claims)],
    ['role', role],
  ],
})

/** Only settings of the application have a dot; `role` and its like are PostgreSQL's. */
const requestSetting = ([name, value]: [string, string]): readonly [string, string] => {
  if (!name.includes('.')) throw new TypeError(`${name} is no setting of a request`)
  return [name, value]
}

/** A database that is up, wherever it runs. */
export interface RunningDatabase {
  url: string
  isAlone: boolean
  /** Ends what has been started for it. Close what uses it first. */
  stop(): Promise<void>
}

type Place = Pick<Config, 'database' | 'dataDir' | 'workers'>

/**
 * The database that the configuration names, running: our own PostgreSQL is started, and nobody else may use the data
 * folder then. Errors: DataDirInUse, and SetupErrors of `embedded/`.
 */
export async function startDatabase(
  { database, dataDir, workers }: Place,
  log: Logger,
): Promise<RunningDatabase> {
  if (database.kind === 'postgres') return { url: database.url, isAlone: false, stop: async () => undefined }
  const unlock = await lockDataDir(dataDir)
  try {
    const own = await runOwnPostgres({ folder: database.folder, processes: workers, log })
    return { url: own.url, isAlone: true, stop: () => own.stop().finally(unlock) }
  } catch (error) {
    await unlock()
    throw error
  }
}

/** An open database with everything that had to be started for it. */
export interface OwnDatabase {
  db: Database
  /** For what brings a connection of its own. It may hold a password: not for logs. */
  url: string
  /** Nobody else of ours uses the data folder meanwhile. Never so with DATABASE_URL. */
  isAlone: boolean
  /** Closes the database, and ends what has been started for it. */
  close(): Promise<void>
}

/**
 * The database of the service, brought to the newest schema: started by the process itself, or by its primary process if it
 * is one of several workers. Errors: those of `startDatabase`, MigrationFailed, DatabaseUnavailable.
 */
export async function openServiceDatabase(place: Place, log: Logger): Promise<OwnDatabase> {
  const running = await (cluster.isWorker ? joinDatabase(place) : startDatabase(place, log))
  return openMigrated(running, place, log)
}

/**
 * The database of the installation, for a tool: that of the running service, or, while it is stopped, our own PostgreSQL
 * for as long as the tool works. `alone` asks that the service be stopped. Errors: SetupError when there is none yet,
 * and those of `openServiceDatabase`.
 */
export async function openOwnDatabase(
  place: Place,
  log: Logger,
  { alone = false } = {},
): Promise<OwnDatabase> {
  return openMigrated(await findDatabase(place, log, alone), place, log)
}

async function openMigrated(running: RunningDatabase, place: Place, log: Logger): Promise<OwnDatabase> {
  const { url, isAlone, stop } = running
  const opened = await openDatabase({ kind: 'postgres', url }, log)
  const db = place.database.kind === 'embedded' ? sayWhenFull(opened) : opened
  const close = () => db.close().finally(stop)
  try {
    await migrate(db, log)
  } catch (error) {
    await close()
    throw error
  }
  return { db, url, isAlone, close }
}

/**
 * The database of the running service, if it runs; started otherwise. Its schema is left as it is. `alone` asks that the
 * service be stopped. Errors: SetupError when there is none yet, and those of `startDatabase`.
 */
export async function findDatabase(place: Place, log: Logger, alone: boolean): Promise<RunningDatabase> {
  const { database, dataDir } = place
  if (database.kind === 'embedded' && !(await hasCluster(database.folder)))
    throw new SetupError(`There is no database in ${dataDir} yet. Start the service once, or set DATA_DIR.`)
  try {
    return await startDatabase(place, log)
  } catch (error) {
    if (alone || !(error instanceof DataDirInUse)) throw error
    return joinDatabase(place)
  }
}

/** That of another process of ours on this machine. */
async function joinDatabase({ database, dataDir }: Place): Promise<RunningDatabase> {
  const url = database.kind === 'postgres' ? database.url : await announcedUrl(database.folder)
  if (url) return { url, isAlone: false, stop: async () => undefined }
  throw new SetupError(
    `Another Walking Together process is using ${dataDir}, and its database cannot be reached yet. Try again in a moment.`,
  )
}

const READ_ONLY = '25006'

/**
 * A database that takes no changes from anybody has no room left (`embedded/disk-guard.ts`), and says so. Whoever asked for
 * a transaction that changes nothing hears what is wrong with the question, as before.
 */
const sayWhenFull = (db: Database): Database => ({
  ...db,
  asCaller: (caller, work, options = {}) =>
    db
      .asCaller(caller, work, options)
      .catch((error) => Promise.reject(options.readOnly || options.single ? error : full(error))),
  asOwner: (reason, work, options = {}) =>
    db.asOwner(reason, work, options).catch((error) => Promise.reject(options.single ? error : full(error))),
})

const full = (error: unknown): unknown =>
  isSqlError(error) && error.code === READ_ONLY
    ? new SqlError({
        code: '53100',
        message: 'There is no room left to save anything',
        hint: 'Reading goes on. Make room on the disk; then everything works again by itself.',
      })
    : error

/** Another process owns the data folder. */
export class DataDirInUse extends SetupError {
  constructor(folder: string) {
    super(
      `Another Walking Together process is using ${folder}. Stop it first, or give this one its own DATA_DIR (several processes can share a DATABASE_URL).`,
    )
  }
}

/** The data folder cannot be made, or nothing can be written in it. */
export class DataDirUnusable extends SetupError {
  constructor(folder: string, cause: Error) {
    super(
      `The data folder ${folder} cannot be used: ${cause.message}. DATA_DIR must name a folder to write in.`,
      {
        cause,
      },
    )
  }
}

/** What SQLite says when somebody else holds the lock (SQLITE_BUSY). */
const BUSY = 5

/** A connection that nobody holds on to is closed by the garbage collector, and its lock with it. */
const held = new Set<DatabaseSync>()

/**
 * Makes the data folder if need be and claims it for this process, until the returned function is called or the
 * process ends, however it ends. The claim is SQLite's lock on an empty file: the kernel takes it back from a dead
 * process, so there is never a stale one, and of two that start together exactly one gets it. Node itself cannot lock.
 * Errors: DataDirInUse, DataDirUnusable.
 */
export async function lockDataDir(folder: string): Promise<() => Promise<void>> {
  let lock: DatabaseSync | undefined
  try {
    // It holds keys, addresses and password hashes: nobody else's business.
    await mkdir(folder, { recursive: true, mode: 0o700 })
    lock = new DatabaseSync(join(folder, 'owner.lock'), { timeout: 0 })
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    lock?.close()
    throw isBusy(error) ? new DataDirInUse(folder) : new DataDirUnusable(folder, error as Error)
  }
  const claim = lock
  held.add(claim)
  return async () => {
    if (held.delete(claim)) claim.close()
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === BUSY
