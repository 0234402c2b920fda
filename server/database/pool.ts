// The pool of connections: how one is opened, what it has prepared, how its query is cancelled, and how values are read.
import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import type { Logger } from 'pino'
import { DatabaseUnavailable, type PoolUsage, RequestAborted } from './port.ts'

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

/** Statements that are watched for coming again; those that do are prepared. */
const WATCHED = 500
/** What one connection keeps prepared at most; one that is full is replaced by a new one. */
const MAX_PREPARED = 64
/** Longer texts are hardly asked for twice. */
const MAX_TEXT = 8_000

/** The names under which connections keep statements prepared. */
export interface PreparedNames {
  /** The name of a text that has been asked for before, and is now known to this connection; undefined for others. */
  nameFor(text: string, client: pg.PoolClient): string | undefined
  /** Whether the connection keeps as many as it may. */
  isFull(client: pg.PoolClient): boolean
  /** What was prepared could not be used (see `isPreparationLost`). */
  lost(error: unknown): void
}

export function createPreparedNames(): PreparedNames {
  const names = new LRUCache<string, string>({ max: WATCHED })
  const known = new WeakMap<pg.PoolClient, Set<string>>()
  let made = 0
  let isOff = false
  return {
    nameFor(text, client) {
      if (isOff || text.length > MAX_TEXT) return undefined
      const name = names.get(text)
      // The first time it goes without one. No number is given twice: a connection may remember an old one.
      if (name === undefined) return void names.set(text, `s${++made}`)
      const prepared = known.get(client) ?? new Set()
      known.set(client, prepared.add(name))
      return name
    },
    isFull: (client) => (known.get(client)?.size ?? 0) >= MAX_PREPARED,
    lost(error) {
      // A pooler between us and the server, which gives every transaction another connection, knows no names.
      if (!isChanged(error)) isOff = true
    },
  }
}

const codeOf = (error: unknown): unknown => error instanceof Error && 'code' in error && error.code

/** "cached plan must not change result type": a table was altered. */
const isChanged = (error: unknown): boolean =>
  codeOf(error) === '0A000' && error instanceof Error && error.message.includes('cached plan')

/** The server has not, or has no longer, what was prepared. The statement works when it is sent in full. */
export const isPreparationLost = (error: unknown): boolean =>
  isChanged(error) || codeOf(error) === '26000' || codeOf(error) === '42P05'

/** After this long a cancellation has got lost; the connection is then cut. */
const CANCEL_TIMEOUT_MS = 2_000

/** What the driver has beyond its types: its own Client.cancel() knows no TLS. */
interface CancelConnection extends pg.Connection {
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}
interface Cancellable {
  processID: number
  secretKey: number
}

/**
 * Asks the server to stop what a connection is doing (the protocol's CancelRequest, on a connection of its own).
 * Resolves when the server has passed it on, or cannot be reached: whoever uses the connection next is safe from it.
 */
export function cancelQuery(client: pg.PoolClient): Promise<void> {
  const { host, port, ssl } = client
  const { processID, secretKey } = client as pg.PoolClient & Cancellable
  const connection = new pg.Connection({ ssl }) as CancelConnection
  const send = () => connection.cancel(processID, secretKey)
  return new Promise((resolve) => {
    const timeout = setTimeout(() => connection.stream.destroy(), CANCEL_TIMEOUT_MS)
    connection.on('connect', ssl ? () => connection.requestSsl() : send)
    connection.on('sslconnect', send)
    connection.on('error', () => connection.stream.destroy())
    connection.on('end', () => {
      clearTimeout(timeout)
      resolve()
    })
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  })
}

/** What becomes of a value's text form, by the OID of its type. Types not named here stay text. */
type Parsers = Readonly<Record<number, (text: string) => unknown>>

const text = (value: string): string => value
const json = (value: string): unknown => JSON.parse(value)

/**
 * How result values are read: numbers up to 64 bits, booleans and JSON as JavaScript has them, and
 * everything else as PostgreSQL writes it. In particular dates and times stay text: a Date would lose microseconds,
 * and a date without a time would get a time zone that it never had. Integers beyond 2^53 lose their last digits.
 */
const scalarParsers: Parsers = {
  16: (value) => value === 't', // bool
  20: Number, // int8
  21: Number, // int2
  23: Number, // int4
  26: Number, // oid
  700: Number, // float4
  701: Number, // float8
  114: json,
  3802: json, // jsonb
  17: text, // bytea
  1082: text, // date
  1114: text, // timestamp
  1184: text, // timestamptz
}

/** Array types of PostgreSQL itself whose values become arrays, by the OID of the array, with that of its elements. */
const arrayElements: Readonly<Record<number, number>> = {
  1000: 16,
  1016: 20,
  1005: 21,
  1007: 23,
  1021: 700,
  1022: 701,
  199: 114,
  3807: 3802,
  1009: 25, // text
  1015: 1043, // varchar
  1182: 1082,
  1185: 1184,
  1231: 1700, // numeric
  2951: 2950, // uuid
}

/** How to read a type that is no array. */
const scalarParser = (oid: number): ((value: string) => unknown) => scalarParsers[oid] ?? text

/** For the driver. We only ever ask for the text form of values, so the format is of no interest. */
function getTypeParser(oid: number): (value: string) => unknown {
  const element = arrayElements[oid]
  if (element === undefined) return scalarParser(oid)
  return (value) => readElements(splitArray(value), scalarParser(element))
}

const TEXT_ARRAY: number = 1009
const splitArray = pg.types.getTypeParser(TEXT_ARRAY) as (value: string) => Nested

/** The elements of an array as text, to any depth. */
type Nested = ReadonlyArray<string | null | Nested>

const readElements = (elements: Nested, read: (value: string) => unknown): unknown[] =>
  elements.map((element) =>
    element === null ? null : typeof element === 'string' ? read(element) : readElements(element, read),
  )
