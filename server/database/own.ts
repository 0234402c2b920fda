import cluster from 'node:cluster'
import type { Logger } from 'pino'
import { SetupError } from '#server/config/setup-error.ts'
import type { Config } from '#server/config.ts'
import { DataDirInUse, lockDataDir } from './data-dir-lock.ts'
import { announcedUrl } from './embedded/address.ts'
import { hasCluster } from './embedded/home.ts'
import { runOwnPostgres } from './embedded/supervisor.ts'
import { isSqlError, SqlError } from './errors.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open.ts'
import type { Database } from './port.ts'

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
