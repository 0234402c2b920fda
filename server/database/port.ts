import type { Caller } from '#server/tokens/caller.ts'

/** One answer of the database. `affected` counts the rows that a statement returned or changed. */
export interface Result<Row> {
  rows: Row[]
  affected: number
}

/** A parameter. Anything else (arrays, JSON, bytes) is written by the caller in PostgreSQL's text form. */
export type Value = string | number | boolean | null

/** Names and values, in the order in which they are set. */
export type Settings = ReadonlyArray<readonly [name: string, value: string]>

export interface QueryOptions {
  /** Asked again and again in the same words: worth keeping prepared. */
  repeated?: boolean
}

/**
 * A transaction under way. Values travel as parameters `$1…`, never inside the text. How values of a result are read
 * is the same everywhere: see `pool.ts`. Errors: SqlError, DatabaseUnavailable.
 */
export interface Transaction {
  query<Row = Record<string, unknown>>(
    text: string,
    values?: readonly Value[],
    options?: QueryOptions,
  ): Promise<Result<Row>>
  /** Several statements without parameters: migrations. */
  script(sql: string): Promise<void>
}

export interface TransactionOptions {
  /** Who asks. Empty: the database's owner. */
  settings?: Settings
  /** A statement that takes longer is cancelled (SQLSTATE 57014), in milliseconds; 0 for as long as it takes. */
  limitMs: number
  /** A writing statement then fails with SQLSTATE 25006. */
  readOnly?: boolean
  /** The work asks for one thing that changes nothing: its statement travels with begin and commit in one message. */
  single?: boolean
  /** Cancels what is under way. Errors then: RequestAborted. */
  signal?: AbortSignal | undefined
}

/** What is known about a database that cannot be heard. */
export interface Loss {
  /** Its server refuses connections, so that nobody can change anything; a network that is silent proves nothing. */
  isServerDown: boolean
}

/** Connections of this process: all, those that nobody uses, and how many wait for one. */
export interface PoolUsage {
  total: number
  idle: number
  waiting: number
}

/** What an adapter provides; everything else is built on it in `open.ts`. */
export interface Driver {
  /**
   * Commits when `work` resolves, rolls back when it rejects. Work that swallowed an error of a statement has nothing
   * left to commit, and is told so by SQLSTATE 25P02. Never open a second transaction within `work`: when all
   * connections are taken by such work, each waits for the others. The settings are in force before the first
   * statement, travel together with it, and end with the transaction. A connection is taken with the first statement.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions): Promise<T>
  /**
   * Calls `onPayload` for each NOTIFY on the channel (named in lower case, as an SQL word). `onLost` is called when the
   * connection is lost, and after each attempt to have it back that failed; `onGap` when it is back, and notifications
   * may have been missed. Resolves once listening, with a function that stops it.
   * Errors: DatabaseUnavailable when the first attempt fails.
   */
  listen(
    channel: string,
    onPayload: (payload: string) => void,
    onGap: () => void,
    onLost?: (loss: Loss) => void,
  ): Promise<() => Promise<void>>
  usage(): PoolUsage
  close(): Promise<void>
}

export interface CallerOptions extends Pick<TransactionOptions, 'readOnly' | 'single' | 'signal'> {
  /** Further transaction-local settings, e.g. `request.method`. Names must hold a dot. */
  settings?: Readonly<Record<string, string>>
}

interface OwnerOptions extends Pick<TransactionOptions, 'single' | 'signal'> {
  /** For work that may take as long as it takes: migrations, commands. */
  unlimited?: boolean
}

export interface Database {
  /** One transaction under the caller's role and claims; row-level security judges. Nothing of them outlives it. */
  asCaller<T>(caller: Caller, work: (tx: Transaction) => Promise<T>, options?: CallerOptions): Promise<T>
  /** One transaction as the database's owner: the loud bypass of policies. The reason is logged. */
  asOwner<T>(reason: string, work: (tx: Transaction) => Promise<T>, options?: OwnerOptions): Promise<T>
  listen: Driver['listen']
  usage: Driver['usage']
  close(): Promise<void>
}

interface SqlErrorFields {
  message: string
  code: string
  detail?: string | undefined
  hint?: string | undefined
  constraint?: string | undefined
}

/**
 * The database refused a statement: SQLSTATE and PostgreSQL's own words. Statement and
 * parameters are left behind on purpose: they can hold secrets, and errors are logged.
 */
export class SqlError extends Error {
  readonly code: string
  readonly detail: string | undefined
  readonly hint: string | undefined
  /** The constraint that was violated, e.g. to tell which of two addresses is taken. */
  readonly constraint: string | undefined

  constructor({ message, code, detail, hint, constraint }: SqlErrorFields) {
    super(message)
    this.name = 'SqlError'
    this.code = code
    this.detail = detail
    this.hint = hint
    this.constraint = constraint
  }
}

/** Whether the database itself answered with an error (as opposed to not answering). */
export const isSqlError = (error: unknown): error is SqlError => error instanceof SqlError

/** Whether the database refused a row because another one holds what must be unique (SQLSTATE 23505). */
export const isUniqueViolation = (error: unknown): error is SqlError =>
  isSqlError(error) && error.code === '23505'

/** The database cannot be reached, or went away in the middle of a transaction. Trying again later may help. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database cannot be reached', { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/** Whoever asked has gone, or waits no longer. What was done for them is undone. */
export class RequestAborted extends Error {
  constructor(reason: unknown) {
    super('The request was aborted', { cause: reason })
    this.name = 'RequestAborted'
  }
}

/** Work that swallowed the error of a statement is told that nothing of it was kept. */
export const rolledBack = (): SqlError =>
  new SqlError({ code: '25P02', message: 'Transaction was rolled back instead of committed' })

/** The server said goodbye: connection failures, its shutdown, crash or start, and a transaction that it found idle. */
const CONNECTION_LOST = /^(08|57P0|25P03)/

/**
 * What a driver threw, in our words: an answer of the database becomes SqlError; anything else that a driver throws
 * means that no answer came.
 */
export function fromDriver(error: unknown): SqlError | DatabaseUnavailable | RequestAborted {
  if (error instanceof SqlError || error instanceof DatabaseUnavailable || error instanceof RequestAborted)
    return error
  return isAnswer(error) && !CONNECTION_LOST.test(error.code)
    ? new SqlError(error)
    : new DatabaseUnavailable(error)
}

/** Only the server's own messages carry a severity; `EPIPE` alone would pass for an SQLSTATE. */
const isAnswer = (error: unknown): error is SqlErrorFields =>
  error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
