import { mkdir } from 'node:fs/promises'
import { PGlite, type Transaction as PgliteTransaction } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import type { Driver, Transaction, Value } from './port.ts'

/**
 * PostgreSQL inside this process, kept in `folder` (`memory://` keeps nothing). One connection: transactions queue.
 * Only one process may open a folder; `data-dir-lock.ts` sees to that.
 */
export async function openPglite(folder: string): Promise<Driver> {
  if (!folder.startsWith('memory://')) await mkdir(folder, { recursive: true })
  const db = await PGlite.create({ dataDir: folder, extensions: { pg_trgm } })
  return {
    kind: 'pglite',
    transaction: (begin, work) =>
      db.transaction(async (tx) => {
        if (begin === 'begin read only') await tx.exec('set transaction read only')
        return work(adapt(tx))
      }),
    listen: (channel, onPayload) => db.listen(channel, onPayload),
    close: () => db.close(),
  }
}

/** PGlite would check parameters against JavaScript types; we send PostgreSQL's text form whatever the type is. */
const serializers = new Proxy<Record<number, (value: unknown) => string>>({}, { get: () => String })

const adapt = (tx: PgliteTransaction): Transaction => ({
  async query<Row>(text: string, values: readonly Value[] = []) {
    const { rows, affectedRows } = await tx.query<Row>(text, [...values], { serializers })
    return { rows, affected: affectedRows || rows.length }
  },
  async script(sql) {
    await tx.exec(sql)
  },
})
