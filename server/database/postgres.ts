// The adapter to PostgreSQL: transactions that leave in one message, and end when their limit or their reader does.
import type pg from 'pg'
import type { Logger } from 'pino'
import { openListener } from './listen.ts'
import {
  type ConnectionPool,
  cancelQuery,
  createPreparedNames,
  isPreparationLost,
  openPool,
  POOL_SIZE,
  type PreparedNames,
} from './pool.ts'
import {
  DatabaseUnavailable,
  type Driver,
  fromDriver,
  type QueryOptions,
  RequestAborted,
  type Result,
  rolledBack,
  type Settings,
  type Transaction,
  type TransactionOptions,
  type Value,
} from './port.ts'

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

/** How much longer than a statement may take its answer may be on the way. */
const ANSWER_GRACE_MS = 1_500
/** A process that was busy itself finds the answer waiting: it looks once more before it says that there is none. */
const LOOK_AGAIN_MS = 500
/** A rollback, and a statement that was cancelled, are answered within this time. */
const PROMPT_MS = 3_000

interface Connections {
  pool: ConnectionPool
  prepared: PreparedNames
}

/** The network swallowed what was sent, or the answer. */
class NoAnswer extends Error {
  constructor() {
    super('The database did not answer in time')
    this.name = 'NoAnswer'
  }
}

interface Statement {
  text: string
  values: Value[]
  repeated: boolean
}

/** Runs work in a transaction as the driver's port says. */
async function inTransaction<T>(
  connections: Connections,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const tx = new OpenTransaction(connections, options)
  try {
    const result = await work(tx).finally(() => tx.end())
    await tx.commit()
    return result
  } catch (error) {
    await tx.rollback()
    throw error
  } finally {
    await tx.release()
  }
}

/**
 * A transaction and its connection, which is taken with the first statement. Begin, settings and that statement leave
 * in one message, and when it stays the only one, the commit too.
 */
class OpenTransaction implements Transaction {
  readonly #pool: ConnectionPool
  readonly #prepared: PreparedNames
  readonly #options: TransactionOptions
  #isOver = false
  #first: Promise<pg.QueryResult> | undefined
  #client: pg.PoolClient | undefined
  /** Begun on the server, and neither committed nor rolled back. */
  #isOpen = false
  #isBroken = false
  readonly #cancelling: Array<Promise<void>> = []

  constructor({ pool, prepared }: Connections, options: TransactionOptions) {
    this.#pool = pool
    this.#prepared = prepared
    this.#options = options
  }

  async query<Row>(
    text: string,
    values: readonly Value[] = [],
    { repeated = false }: QueryOptions = {},
  ): Promise<Result<Row>> {
    const result: pg.QueryResult | pg.QueryResult[] = await this.#run({ text, values: [...values], repeated })
    // A text of several statements, as pg-boss sends them, has a result for each.
    const { rows, rowCount } = Array.isArray(result) ? inOne(result) : result
    return { rows: rows as Row[], affected: rowCount ?? rows.length }
  }

  async script(sql: string): Promise<void> {
    await this.#run({ text: sql, values: [], repeated: false })
  }

  /** Cuts the work off from its connection, which will soon be somebody else's. */
  end(): void {
    this.#isOver = true
  }

  async commit(): Promise<void> {
    if (!this.#client || !this.#isOpen) return
    const { command } = await this.#ask(this.#client, this.#client.query('commit')).catch(translate)
    this.#isOpen = false
    if (command !== 'COMMIT') throw rolledBack()
  }

  async rollback(): Promise<void> {
    const client = this.#client
    if (!client || !this.#isOpen) return
    this.#isOpen = false
    const stopWatching = this.#watch(client, PROMPT_MS)
    await client.query('rollback').catch(() => {
      this.#isBroken = true
    })
    stopWatching()
  }

  async release(): Promise<void> {
    // Whoever has the connection next must not be hit by a cancellation that was meant for us.
    await Promise.all(this.#cancelling)
    const client = this.#client
    client?.release(this.#isBroken || this.#prepared.isFull(client))
  }

  async #run(statement: Statement): Promise<pg.QueryResult> {
    if (this.#isOver) throw new Error('Transaction is closed')
    if (this.#options.signal?.aborted) throw new RequestAborted(this.#options.signal.reason)
    if (!this.#first) {
      this.#first = this.#open(statement)
      return this.#first.catch(translate)
    }
    if (this.#options.single) throw new Error('A single statement was announced')
    await this.#first.catch(() => undefined)
    const client = this.#client
    if (!client) throw new DatabaseUnavailable(new Error('The transaction has lost its connection'))
    return this.#ask(client, client.query(this.#named(client, statement))).catch(translate)
  }

  /** Sends the first statement with all that belongs to it, again if the connection had died in the pool. */
  async #open(statement: Statement, attempts = POOL_SIZE): Promise<pg.QueryResult> {
    const client = await this.#pool.acquire(this.#options.signal)
    this.#client = client
    const { begun, answer, committed } = this.#sendFirst(client, statement)
    this.#isOpen = true
    await this.#ask(client, Promise.allSettled([begun, answer, committed]))
    const lost = await begun.then(() => undefined, fromDriver)
    if (lost instanceof DatabaseUnavailable) {
      this.#drop(client)
      // No answer to the begin, so nothing was done: another connection may be asked.
      if (attempts > 0 && !(lost.cause instanceof NoAnswer)) return this.#open(statement, attempts - 1)
      throw lost
    }
    const failure = await answer.then(() => undefined, Object)
    if (statement.repeated && isPreparationLost(failure)) {
      this.#drop(client)
      this.#prepared.lost(failure)
      return this.#open({ ...statement, repeated: false }, attempts)
    }
    if (committed)
      this.#isOpen = await committed.then(
        () => false,
        () => true,
      )
    return this.#unlessAborted(answer)
  }

  /** Everything in one message. If the settings fail, so does the statement behind them: the transaction is aborted. */
  #sendFirst(client: pg.PoolClient, statement: Statement) {
    const { settings = [], single } = this.#options
    const { stream } = client.connection
    stream.cork()
    try {
      const begun = client.query(beginStatement(this.#options))
      const applied = settings.length > 0 ? client.query(settingsStatement(settings)) : begun
      const asked = client.query(this.#named(client, statement))
      const answer = Promise.all([asked, applied]).then(([result]) => result)
      const committed = single ? client.query('commit') : undefined
      return { begun, answer, committed }
    } finally {
      stream.uncork()
    }
  }

  #named(client: pg.PoolClient, { text, values, repeated }: Statement): pg.QueryConfig {
    const name = repeated ? this.#prepared.nameFor(text, client) : undefined
    return { text, values, ...(name && { name }) }
  }

  /** Waits for an answer, but not for ever, and no longer than somebody else waits for us. */
  async #ask<T>(client: pg.PoolClient, answer: Promise<T>): Promise<T> {
    const { signal, limitMs } = this.#options
    let stopWatching = limitMs > 0 ? this.#watch(client, limitMs + ANSWER_GRACE_MS) : () => undefined
    const cancel = () => {
      stopWatching()
      stopWatching = this.#watch(client, PROMPT_MS)
      this.#cancelling.push(cancelQuery(client))
    }
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await this.#unlessAborted(answer)
    } finally {
      stopWatching()
      signal?.removeEventListener('abort', cancel)
    }
  }

  async #unlessAborted<T>(answer: Promise<T>): Promise<T> {
    return answer.catch((error) => {
      const { signal } = this.#options
      throw signal?.aborted ? new RequestAborted(signal.reason) : error
    })
  }

  /** Cuts the connection when the time is over, which fails all that waits for its answers. Returns how to stop. */
  #watch(client: pg.PoolClient, ms: number): () => void {
    const cut = () => {
      this.#pool.suspect()
      client.connection.stream.destroy(new NoAnswer())
    }
    let timer = setTimeout(() => {
      timer = setTimeout(cut, LOOK_AGAIN_MS)
    }, ms)
    return () => clearTimeout(timer)
  }

  #drop(client: pg.PoolClient): void {
    client.release(true)
    this.#client = undefined
    this.#isOpen = false
  }
}

const inOne = (results: readonly pg.QueryResult[]) => ({
  rows: results.flatMap(({ rows }) => rows),
  rowCount: results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0),
})

const translate = (error: unknown): never => {
  throw fromDriver(error)
}

/** `set_config(…, true)` ends with the transaction, like SET LOCAL, but takes parameters. */
function settingsStatement(settings: Settings): { name: string; text: string; values: Value[] } {
  const calls = settings.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`)
  return {
    // Its words depend on nothing but the number of settings.
    name: `settings_${settings.length}`,
    text: `select ${calls.join(', ')}`,
    values: settings.flat(),
  }
}

/** Waiting for others' locks is a part of a statement's time, and this the most of it. */
const LOCK_SHARE = 0.6
/** A transaction in which nobody says anything for so long is ended, and its locks with it. */
const IDLE_LIMIT_MS = 15_000

/**
 * How a transaction is begun: in UTC, since poolers refuse the time zone among the options of a connection, and with
 * its limits.
 */
function beginStatement({ limitMs, readOnly = false }: TransactionOptions): string {
  const begin = `begin${readOnly ? ' read only' : ''}; set local time zone 'UTC'`
  if (limitMs === 0) return begin
  return `${begin}; set local statement_timeout = ${limitMs}; set local lock_timeout = ${limitMs * LOCK_SHARE};
    set local idle_in_transaction_session_timeout = ${limitMs + IDLE_LIMIT_MS}`
}
