import { mkdir } from 'node:fs/promises'
import { Mutex, PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { DatabaseUnavailable, fromDriver, rolledBack } from './errors.ts'
import {
  execution,
  type Messages,
  preparation,
  script,
  send,
  statement,
  together,
} from './pglite-messages.ts'
import { type PreparedStatements, preparedStatements } from './pglite-prepared.ts'
import type { Driver, Settings, Transaction, Value } from './port.ts'
import { scalarParsers } from './result-values.ts'
import { settingsStatement } from './settings.ts'

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

/**
 * PGlite would take 160 MB for its page cache, on top of the operating system's, which holds the same files. One
 * connection needs few places.
 */
const memorySettings = ['-c', 'shared_buffers=48MB', '-c', 'max_connections=10', '-c', 'wal_buffers=1MB']

/** The engine with the extensions that our migrations need; `dump` fills a new folder with a whole cluster. */
export async function createPglite(folder: string, dump?: Blob): Promise<PGlite> {
  if (!folder.startsWith('memory://')) await mkdir(folder, { recursive: true })
  const db = await PGlite.create({
    dataDir: folder,
    extensions: { pg_trgm },
    parsers: scalarParsers,
    startParams: [...PGlite.defaultStartParams, ...memorySettings],
    ...(dump && { loadDataDir: dump }),
  })
  await db.exec("set time zone 'UTC'")
  return db
}

/** What every transaction of an engine shares. */
interface Engine {
  isClosed(): boolean
  /** Sends messages, one sender after the other, and gives the result of the last statement. Errors: SqlError. */
  send(messages: Messages): ReturnType<typeof send>
  prepared: PreparedStatements
}

/** A running PGlite behind the database port. */
export function adaptPglite(db: PGlite): Driver {
  const trips = new Mutex()
  const engine: Engine = {
    isClosed: () => db.closed,
    send: (messages) => trips.runExclusive(() => send(db, messages).catch(translate)),
    prepared: preparedStatements(),
  }
  return {
    kind: 'pglite',
    transaction: (work, { settings = [] }) => db.runExclusive(() => inTransaction(engine, work, settings)),
    listen: (channel, onPayload) => db.listen(channel, onPayload),
    close: async () => (db.closed ? undefined : db.close()),
  }
}

async function inTransaction<T>(
  engine: Engine,
  work: (tx: Transaction) => Promise<T>,
  settings: Settings,
): Promise<T> {
  if (engine.isClosed()) throw new DatabaseUnavailable(new Error('The embedded database is closed'))
  const tx = adapt(engine, settings)
  try {
    const result = await work(tx).finally(tx.end)
    if (tx.isBegun()) await commit(engine)
    return result
  } catch (error) {
    if (tx.isBegun()) await engine.send(script('rollback'))
    throw error
  }
}

async function commit(engine: Engine): Promise<void> {
  const { command } = await engine.send(script('commit'))
  if (command !== 'COMMIT') throw rolledBack()
}

/**
 * The transaction is begun together with its first statement, in one message: each trip into the engine costs as much
 * as a small query. Were it not begun, or a setting not made, the engine would skip the statement too.
 */
function adapt(engine: Engine, settings: Settings): Transaction & { isBegun(): boolean; end(): void } {
  let begun = false
  let over = false
  const opening = (): Asked[] => {
    if (over) throw new Error('Transaction is closed')
    if (begun) return []
    begun = true
    const first = { text: 'begin', values: [], repeated: true }
    return settings.length > 0 ? [first, { ...settingsStatement(settings), repeated: true }] : [first]
  }
  return {
    async query<Row>(text: string, values: readonly Value[] = [], { repeated = false } = {}) {
      const { rows, rowCount } = await ask(engine, [...opening(), { text, values, repeated }])
      return { rows: rows as Row[], affected: rowCount ?? rows.length }
    },
    async script(sql) {
      await ask(engine, opening())
      await engine.send(script(sql))
    },
    isBegun: () => begun,
    end() {
      over = true
    },
  }
}

interface Asked {
  text: string
  values: readonly Value[]
  repeated: boolean
}

/** Sends statements in one go and gives the result of the last. */
async function ask({ send, prepared }: Engine, statements: readonly Asked[]) {
  const kept = statements.map(({ text, repeated }) => (repeated ? prepared.take(text) : undefined))
  const messages = statements.map(({ text, values }, n) => {
    const { name, isKnown } = kept[n] ?? {}
    if (name === undefined) return statement(text, values)
    return [...(isKnown ? [] : preparation(name, text)), ...execution(name, values)]
  })
  let succeeded = false
  try {
    const result = await send(together(...messages))
    succeeded = true
    return result
  } finally {
    for (const name of kept) name?.settle(succeeded)
  }
}

const translate = (error: unknown): never => {
  throw fromDriver(error)
}
