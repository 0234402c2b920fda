import { mkdir } from 'node:fs/promises'
import { PGlite, type Transaction as PgliteTransaction } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { DatabaseUnavailable, fromDriver, SqlError } from './errors.ts'
import type { Driver, Transaction, Value } from './port.ts'
import { scalarParsers } from './result-values.ts'

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
  async transaction(work) {
    if (db.closed) throw new DatabaseUnavailable(new Error('The embedded database is closed'))
    return db.transaction((tx) => work(adapt(tx))).catch(translate)
  },
  listen: (channel, onPayload) => db.listen(channel, onPayload),
  close: async () => (db.closed ? undefined : db.close()),
})

/** PGlite would check parameters against JavaScript types; we send PostgreSQL's text form whatever the type is. */
const serializers = new Proxy<Record<number, (value: unknown) => string>>({}, { get: () => String })

const adapt = (tx: PgliteTransaction): Transaction => ({
  async query<Row>(text: string, values: readonly Value[] = []) {
    const { rows, rowCount } = await tx.query<Row>(text, [...values], { serializers }).catch(translate)
    return { rows, affected: rowCount ?? rows.length }
  },
  async script(sql) {
    await tx.exec(sql).catch(translate)
  },
})

/** An answer of the engine becomes SqlError; what our own code threw inside the transaction passes through. */
const translate = (error: unknown): never => {
  const translated = fromDriver(error)
  throw translated instanceof SqlError ? translated : error
}
