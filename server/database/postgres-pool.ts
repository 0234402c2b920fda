import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { DatabaseUnavailable, RequestAborted } from './errors.ts'
import type { PoolUsage } from './port.ts'
import { getTypeParser } from './result-values.ts'

export const POOL_SIZE = 10
/** A pool that is exhausted for this long answers 503 instead of piling up requests. */
const CONNECT_TIMEOUT_MS = 5_000
/** While the network swallows what we send, somebody knocks this often, and waits this long for an answer. */
const PROBE_EVERY_MS = 1_000
const PROBE_TIMEOUT_MS = 2_000

/** Connections to one server, and whether it is worth asking for one. */
export interface ConnectionPool {
  /**
   * A connection of one's own until it is released. Errors: DatabaseUnavailable, at once while the network is known
   * to be dead; RequestAborted.
   */
  acquire(signal?: AbortSignal): Promise<pg.PoolClient>
  /** Throws idle connections away: the network between us and the server was silent. */
  renew(): void
  /**
   * A question was swallowed: the connections that lie idle are as dead as the one it was sent on. They are thrown
   * away, and nobody waits for new ones until a probe is answered.
   */
  suspect(): void
  usage(): PoolUsage
  close(): Promise<void>
}

export function openPool(url: string, log: Logger): ConnectionPool {
  let current = makePool(url, log)
  const closed = new AbortController()
  let isDown = false

  const renew = () => {
    if (closed.signal.aborted) return
    current.discard()
    current = makePool(url, log)
  }
  const suspect = () => {
    if (isDown || closed.signal.aborted) return
    isDown = true
    log.error('the database does not answer; asking again every second')
    renew()
    void probeUntilAnswered(url, closed.signal).then(() => {
      isDown = false
      if (!closed.signal.aborted) log.warn('the database answers again')
    })
  }
  return {
    renew,
    suspect,
    async acquire(signal) {
      if (isDown) throw new DatabaseUnavailable(new Error('The database does not answer'))
      try {
        return await connect(current.pool, signal)
      } catch (error) {
        if (error instanceof Error && error.message.includes('due to connection timeout')) suspect()
        throw error instanceof RequestAborted ? error : new DatabaseUnavailable(error)
      }
    },
    usage() {
      const { totalCount, idleCount, waitingCount } = current.pool
      return { total: totalCount, idle: idleCount, waiting: waitingCount }
    },
    async close() {
      closed.abort()
      if (!current.pool.ending) await current.pool.end()
    },
  }
}

/** A pool, with the means to leave it without a word to a server that does not listen. */
function makePool(url: string, log: Logger) {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'walking-together',
    types: { getTypeParser },
    // What is asked at once is sent at once: the begin and the settings of a transaction, and its first statement.
    pipeline: true,
  })
  const idle = new Set<pg.PoolClient>()
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'))
  // A connection that breaks in use fails its statement; without a handler it would also end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('release', (error, client) => !error && idle.add(client))
  pool.on('remove', (client) => idle.delete(client))
  return {
    pool,
    discard() {
      const left = [...idle]
      void pool.end()
      // A goodbye would wait for its acknowledgement for as long as the operating system does.
      for (const { connection } of left) connection.stream.destroy()
    },
  }
}

async function connect(pool: pg.Pool, signal: AbortSignal | undefined): Promise<pg.PoolClient> {
  if (!signal) return pool.connect()
  if (signal.aborted) throw new RequestAborted(signal.reason)
  const connecting = pool.connect()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const giveUp = () => {
    reject(new RequestAborted(signal.reason))
    // The place in the line cannot be given back; what it brings goes to the next.
    connecting.then(
      (client) => client.release(),
      () => undefined,
    )
  }
  signal.addEventListener('abort', giveUp, { once: true })
  return Promise.race([connecting, aborted]).finally(() => signal.removeEventListener('abort', giveUp))
}

async function probeUntilAnswered(url: string, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    if (await isAnswered(url)) return
    await pause(PROBE_EVERY_MS, undefined, { signal: stop, ref: false }).catch(() => undefined)
  }
}

async function isAnswered(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_TIMEOUT_MS })
  client.on('error', () => undefined)
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}
