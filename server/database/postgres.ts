import pg from 'pg'
import type { Logger } from 'pino'
import { DatabaseUnavailable, isSqlError } from './errors.ts'
import { keepListening } from './postgres-listen.ts'
import type { Driver, Transaction, Value } from './port.ts'

const POOL_SIZE = 10
/** A pool that is exhausted for this long answers 503 instead of piling up requests. */
const CONNECT_TIMEOUT_MS = 5_000

/** A PostgreSQL server by its connection address. Connects on first use, and again after the server went away. */
export function openPostgres(url: string, log: Logger): Driver {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'walking-together',
    types: { getTypeParser },
  })
  // An idle connection that breaks is replaced on next use; without this handler it would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'))
  return {
    kind: 'postgres',
    transaction: (begin, work) => inTransaction(pool, begin, work),
    listen: (channel, onPayload, onGap) => keepListening({ url, channel, onPayload, onGap, log }),
    close: () => pool.end(),
  }
}

async function inTransaction<T>(pool: pg.Pool, begin: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch(unavailable)
  let broken: Error | undefined
  try {
    await client.query(begin)
    const result = await work(adapt(client))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((reason: Error) => {
      broken = reason
    })
    return isConnectionLoss(error) ? unavailable(error) : Promise.reject(error)
  } finally {
    client.release(broken)
  }
}

const adapt = (client: pg.PoolClient): Transaction => ({
  async query<Row>(text: string, values: readonly Value[] = []) {
    const { rows, rowCount } = await client.query(text, [...values])
    return { rows: rows as Row[], affected: rowCount ?? rows.length }
  },
  async script(sql) {
    await client.query(sql)
  },
})

const unavailable = (cause: unknown): never => {
  throw new DatabaseUnavailable(cause)
}

/** SQLSTATE classes 08 (connection) and 57P (shutdown), 53 (no resources), or an error that is not the server's at all. */
const isConnectionLoss = (error: unknown): boolean =>
  isSqlError(error)
    ? /^(08|57P0[1-3]|53)/.test(error.code)
    : error instanceof Error && /terminated|ECONN|EPIPE|ETIMEDOUT|not queryable/.test(`${error.message} ${'code' in error ? error.code : ''}`)

/** As PGlite does: 64-bit integers as numbers (ours stay far below 2^53). Everything else as node-postgres has it. */
const INT8 = 20
const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
