import type { Logger } from 'pino'
import type { Driver } from './port.ts'
import { openListener } from './postgres-listen.ts'
import { openPool } from './postgres-pool.ts'
import { createPreparedNames } from './postgres-prepared.ts'
import { inTransaction } from './postgres-transaction.ts'

/** A PostgreSQL server by its connection address. Connects on first use, and again after the server went away. */
export function openPostgres(url: string, log: Logger): Driver {
  const pool = openPool(url, log)
  const connections = { pool, prepared: createPreparedNames() }
  return {
    transaction: (work, options) => inTransaction(connections, work, options),
    listen: openListener(url, log, pool.renew),
    usage: pool.usage,
    close: pool.close,
  }
}
