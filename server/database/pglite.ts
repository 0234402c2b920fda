import { mkdir } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { DatabaseUnavailable, fromDriver, rolledBack } from './errors.ts'
import { type Messages, script, send, statement, together } from './pglite-messages.ts'
import type { Driver, Transaction, Value } from './port.ts'
import { scalarParsers } from './result-values.ts'
import { type Settings, settingsStatement } from './settings.ts'

/**
 * PostgreSQL inside this process, kept in `folder` (`memory://` keeps nothing). One connection: transactions queue.
 * Only one process may open a folder; `data-dir-lock.ts` sees to that.
 */
export async function openPglite(folder: string): Promise<Driver> {
  const db = await createPglite(folder)
  const endUpkeep = await keepUp(db)
  const driver = adaptPglite(db)
  const close = () => {
    endUpkeep()
    return driver.close()
  }
  return { ...driver, close }
}

const UPKEEP_EVERY_MS = 24 * 60 * 60 * 1000

/**
 * What a server's autovacuum does by the way: frees the room of rows that are gone, and counts the others for the
 * planner. Now, which takes half a second, and once a day. Returns how to end it.
 */
async function keepUp(db: PGlite): Promise<() => void> {
  const vacuum = () => db.exec('vacuum analyze')
  await vacuum()
  // One that fails changes nothing; the next may succeed.
  const daily = setInterval(() => vacuum().catch(() => undefined), UPKEEP_EVERY_MS).unref()
  return () => clearInterval(daily)
}

/** The engine with the extensions that our migrations need; `dump` fills a new folder with a whole cluster. */
export async function createPglite(folder: string, dump?: Blob): Promise<PGlite> {
  if (!folder.startsWith('memory://')) await mkdir(folder, { recursive: true })
  const db = await PGlite.create({
    dataDir: folder,
    extensions: { pg_trgm },
    parsers: scalarParsers,
    ...(dump && { loadDataDir: dump }),
  })
  await db.exec("set time zone 'UTC'")
  return db
}

/** A running PGlite behind the database port. */
export const adaptPglite = (db: PGlite): Driver => ({
  kind: 'pglite',
  transaction: (work, settings = []) => db.runExclusive(() => inTransaction(db, work, settings)),
  listen: (channel, onPayload) => db.listen(channel, onPayload),
  close: async () => (db.closed ? undefined : db.close()),
})

async function inTransaction<T>(
  db: PGlite,
  work: (tx: Transaction) => Promise<T>,
  settings: Settings,
): Promise<T> {
  if (db.closed) throw new DatabaseUnavailable(new Error('The embedded database is closed'))
  const tx = adapt(db, settings)
  try {
    const result = await work(tx).finally(tx.end)
    if (tx.isBegun()) await commit(db)
    return result
  } catch (error) {
    if (tx.isBegun()) await send(db, script('rollback'))
    throw error
  }
}

async function commit(db: PGlite): Promise<void> {
  const { command: done } = await send(db, script('commit')).catch(translate)
  if (done !== 'COMMIT') throw rolledBack()
}

/**
 * The transaction is begun together with its first statement, in one message: each trip into the engine costs as much
 * as a small query. Were it not begun, or a setting not made, the engine would skip the statement too.
 */
function adapt(db: PGlite, settings: Settings): Transaction & { isBegun(): boolean; end(): void } {
  let begun = false
  let over = false
  const opening = (): Messages => {
    if (over) throw new Error('Transaction is closed')
    if (begun) return []
    begun = true
    const { text, values } = settingsStatement(settings)
    return [...statement('begin'), ...(settings.length > 0 ? statement(text, values) : [])]
  }
  return {
    async query<Row>(text: string, values: readonly Value[] = []) {
      const messages = together(opening(), statement(text, values))
      const { rows, rowCount } = await send(db, messages).catch(translate)
      return { rows: rows as Row[], affected: rowCount ?? rows.length }
    },
    async script(sql) {
      await send(db, together(opening())).catch(translate)
      await send(db, script(sql)).catch(translate)
    },
    isBegun: () => begun,
    end() {
      over = true
    },
  }
}

const translate = (error: unknown): never => {
  throw fromDriver(error)
}
