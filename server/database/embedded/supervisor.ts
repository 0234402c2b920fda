import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Address, announce, chooseAddress, connectionUrl, removeAddress, withdraw } from './address.ts'
import { findBinaries } from './binaries.ts'
import { type Cluster, damaged, ensureCluster, serverSettings } from './cluster.ts'
import { type DiskGuard, guardDisk } from './disk-guard.ts'
import { DatabaseFolderUnusable, settleHome } from './home.ts'
import {
  type Hear,
  PostgresDidNotStart,
  type Postmaster,
  startPostmaster,
  stopOrphans,
} from './postmaster.ts'

/** The PostgreSQL that this process runs. */
export interface OwnPostgres {
  /** The address of its database, as its superuser. */
  url: string
  /** Ends it; everything is on the disk then. Close what uses it first. */
  stop(): Promise<void>
}

interface Options {
  /** `DATA_DIR/postgres`. The caller holds the lock of DATA_DIR. */
  folder: string
  /** How many processes of the service will connect. */
  processes: number
  log: Logger
  /** Where it is to listen; asked again when that place turns out to be taken. */
  choose?: (cluster: Cluster) => Promise<Address>
}

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 30_000
/** A PostgreSQL that ran this long did not die of its start: the next one need not wait. */
const STEADY_AFTER_MS = 60_000

/**
 * Runs a PostgreSQL of our own on the cluster in the folder, which is made when there is none, and starts it again
 * whenever it dies. Errors, at the first start only: DatabaseFolderUnusable, NoBinaries.
 */
export async function runOwnPostgres({
  folder,
  processes,
  log,
  choose = chooseAddress,
}: Options): Promise<OwnPostgres> {
  const home = await settleHome(folder)
  const cluster = await ensureCluster(folder, home, await findBinaries(home))
  await stopOrphans(cluster.data, log)
  const guard = guardDisk(cluster, log)
  const start = async (address: Address): Promise<Postmaster> => {
    const settings = serverSettings(processes)
    return startWithReserve(() => startPostmaster(cluster, address, settings, hearInto(log)), guard)
  }
  const { address, postmaster } = await firstStart(cluster, choose, start)
  const url = connectionUrl(address, cluster.password)
  await announce(folder, address)
  guard.watch(url)
  const stopKeeping = keep(postmaster, { cluster, log, start: () => start(address) })
  return {
    url,
    async stop() {
      await guard.stop()
      await stopKeeping()
      await withdraw(folder)
      await removeAddress(address)
    },
  }
}

const PORT_TAKEN = /could not (?:bind|create any)/
const MOST_ADDRESSES = 5

/** An address that somebody else took in between is given up for another one. */
async function firstStart(
  cluster: Cluster,
  choose: (cluster: Cluster) => Promise<Address>,
  start: (address: Address) => Promise<Postmaster>,
) {
  for (let tried = 1; ; tried++) {
    const address = await choose(cluster)
    try {
      return { address, postmaster: await start(address) }
    } catch (error) {
      await removeAddress(address)
      if (!(error instanceof PostgresDidNotStart)) throw error
      if (!PORT_TAKEN.test(error.words) || tried === MOST_ADDRESSES) throw inOurWords(cluster, error)
    }
  }
}

const NO_ROOM = /No space left on device|Disk quota exceeded/

/** PostgreSQL needs some room even to recover: on a full disk it gets the reserve that was kept for that. */
async function startWithReserve(start: () => Promise<Postmaster>, guard: DiskGuard): Promise<Postmaster> {
  try {
    return await start()
  } catch (error) {
    const isFull = error instanceof PostgresDidNotStart && NO_ROOM.test(error.words)
    if (!isFull || !(await guard.release())) throw error
    return start()
  }
}

/** What the owner can do about a PostgreSQL that does not start. */
function inOurWords({ data }: Cluster, error: PostgresDidNotStart): Error {
  const { words } = error
  const reason = error.message.replace('PostgreSQL did not start: ', '')
  if (NO_ROOM.test(words))
    return new DatabaseFolderUnusable(
      `There is no room left on the disk of ${dirname(data)}, and PostgreSQL cannot start. Nothing is lost: make room, and start again.`,
      { cause: error },
    )
  if (/wrong ownership|ermission denied/.test(words))
    return new DatabaseFolderUnusable(
      `PostgreSQL may not use ${data} (${reason}). The folder must belong to the user who runs the service.`,
      { cause: error },
    )
  if (/could not create shared memory|could not map anonymous|Cannot allocate memory/.test(words))
    return new DatabaseFolderUnusable(`This machine has not enough free memory for PostgreSQL (${reason}).`, {
      cause: error,
    })
  return damaged(data, reason)
}

interface Kept {
  cluster: Cluster
  log: Logger
  start: () => Promise<Postmaster>
}

/** Sees to it that there is always this PostgreSQL or its successor. Returns how to end it for good. */
function keep(first: Postmaster, { cluster, log, start }: Kept): () => Promise<void> {
  const stopped = new AbortController()
  const kept: { current: Postmaster | undefined } = { current: first }
  const watching = watch()
  return async () => {
    stopped.abort()
    await kept.current?.stop()
    await watching
  }

  async function watch(): Promise<void> {
    for (let delay = FIRST_RETRY_MS; ; ) {
      const bornAt = performance.now()
      await kept.current?.ended
      if (stopped.signal.aborted) return
      if (performance.now() - bornAt > STEADY_AFTER_MS) delay = FIRST_RETRY_MS
      log.error({ retryMs: delay }, 'PostgreSQL has died; starting it again')
      delay = await startAgain(delay)
      // Told to stop while it was being started: the one to stop was the old one then.
      if (stopped.signal.aborted) return kept.current?.stop()
    }
  }

  /** Tries until it runs, ever more slowly; the delay before the next attempt, should it die soon. */
  async function startAgain(from: number): Promise<number> {
    for (let delay = from; ; delay = Math.min(delay * 2, LONGEST_RETRY_MS)) {
      await pause(delay, undefined, { signal: stopped.signal }).catch(() => undefined)
      if (stopped.signal.aborted) return delay
      try {
        await stopOrphans(cluster.data, log)
        kept.current = await start()
        log.warn('PostgreSQL runs again')
        return Math.min(delay * 2, LONGEST_RETRY_MS)
      } catch (error) {
        log.error({ err: error, retryMs: Math.min(delay * 2, LONGEST_RETRY_MS) }, 'PostgreSQL does not start')
      }
    }
  }
}

/** Its own log in ours. Statements never reach it: they can hold what is private. */
const hearInto =
  (log: Logger): Hear =>
  (level, text) => {
    if (level === 'PANIC') log.error({ postgres: text }, 'PostgreSQL gave up')
    else log.debug({ postgres: text, level }, 'PostgreSQL')
  }
