import pg from 'pg'
import type { Logger } from 'pino'
import { DatabaseUnavailable, fromDriver, rolledBack } from './errors.ts'
import type { Driver, Settings, Transaction, Value } from './port.ts'
import { keepListening } from './postgres-listen.ts'
import { arrayElements, scalarParser } from './result-values.ts'
import { settingsStatement } from './settings.ts'

const POOL_SIZE = 10
/** A pool that is exhausted for this long answers 503 instead of piling up requests. */
const CONNECT_TIMEOUT_MS = 5_000
/** A network that swallows connections without a word is noticed by probes on idle ones. */
const PROBE_AFTER_MS = 10_000

/** A PostgreSQL server by its connection address. Connects on first use, and again after the server went away. */
export function openPostgres(url: string, log: Logger): Driver {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
    application_name: 'walking-together',
    types: { getTypeParser },
    // What is asked at once is sent at once: the settings of a transaction and its first statement.
    pipeline: true,
  })
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'))
  // A connection that breaks in use fails its statement; without a handler it would also end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return {
    kind: 'postgres',
    transaction: (work, settings) => inTransaction(pool, work, settings),
    listen: (channel, onPayload, onGap) => keepListening({ url, channel, onPayload, onGap, log }),
    close: async () => (pool.ending ? undefined : pool.end()),
  }
}

async function inTransaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  settings: Settings,
): Promise<T> {
  const client = await begin(pool)
  const tx = adapt(client, settings)
  let intact = true
  try {
    const result = await work(tx).finally(tx.end)
    await commit(client)
    return result
  } catch (error) {
    intact = await client.query('rollback').then(
      () => true,
      () => false,
    )
    throw error
  } finally {
    client.release(!intact)
  }
}

/** A connection with a transaction begun. One that died in the pool is thrown away, and the next is tried. */
async function begin(pool: pg.Pool, attempts = POOL_SIZE): Promise<pg.PoolClient> {
  const client = await pool.connect().catch((error) => {
    throw new DatabaseUnavailable(error)
  })
  try {
    // The time zone goes along in the same message; poolers refuse it among the options of a connection.
    await client.query("begin; set local time zone 'UTC'")
    return client
  } catch (error) {
    client.release(true)
    if (attempts === 0) throw fromDriver(error)
    return begin(pool, attempts - 1)
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('commit').catch(translate)
  if (command !== 'COMMIT') throw rolledBack()
}

/** `end` cuts the transaction off from its connection, which will soon be somebody else's. */
function adapt(client: pg.PoolClient, settings: Settings): Transaction & { end(): void } {
  let over = false
  let opening = settings.length > 0 ? settingsStatement(settings) : undefined
  const run = async (text: string, values?: Value[]) => {
    if (over) throw new Error('Transaction is closed')
    // If the settings fail, so does the statement behind them: the transaction is aborted.
    const applied = opening && client.query(opening)
    opening = undefined
    const [result] = await Promise.all([client.query(text, values), applied]).catch(translate)
    return result
  }
  return {
    async query<Row>(text: string, values: readonly Value[] = []) {
      const { rows, rowCount } = await run(text, [...values])
      return { rows: rows as Row[], affected: rowCount ?? rows.length }
    },
    async script(sql) {
      await run(sql)
    },
    end() {
      over = true
    },
  }
}

const translate = (error: unknown): never => {
  throw fromDriver(error)
}

/** We only ever ask for the text form of values, so the format is of no interest. */
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
