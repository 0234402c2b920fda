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
export const openPglite = async (folder: string): Promise<Driver> => adaptPglite(await createPglite(folder))

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
