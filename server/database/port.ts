import type { Caller } from '#server/identity/caller.ts'

/** One answer of the database. `affected` counts the rows that a statement returned or changed. */
interface Result<Row> {
  rows: Row[]
  affected: number
}

/** A parameter. Anything else (arrays, JSON, bytes) is written by the caller in PostgreSQL's text form. */
export type Value = string | number | boolean | null

/** Names and values, in the order in which they are set. */
export type Settings = ReadonlyArray<readonly [name: string, value: string]>

interface QueryOptions {
  /**
   * Asked again and again in the same words: an adapter may keep it prepared. Only for statements whose columns stay the
   * same when a table changes, so not for `select *`.
   */
  repeated?: boolean
}

/**
 * A transaction under way. Values travel as parameters `$1…`, never inside the text. How values of a result are read
 * is the same everywhere: see `result-values.ts`. Errors: SqlError, DatabaseUnavailable.
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

/** What an adapter provides; everything else is built on it in `open.ts`. */
export interface Driver {
  readonly kind: 'pglite' | 'postgres'
  /**
   * Commits when `work` resolves, rolls back when it rejects. Work that swallowed an error of a statement has nothing
   * left to commit, and is told so by SQLSTATE 25P02. Never open a second transaction within `work`: PGlite has one
   * connection, and would wait for itself. The settings say who asks: they are in force before the first
   * statement, travel together with it, and end with the transaction. None: the database's owner.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, settings: Settings): Promise<T>
  /**
   * Calls `onPayload` for each NOTIFY on the channel (named in lower case, as an SQL word). `onGap` is called when notifications may have been missed
   * (the connection was lost and is back); resolves once listening, with a function that stops it.
   * Errors: DatabaseUnavailable when the first attempt fails.
   */
  listen(
    channel: string,
    onPayload: (payload: string) => void,
    onGap: () => void,
  ): Promise<() => Promise<void>>
  close(): Promise<void>
}

export interface CallerOptions {
  /** A writing statement then fails with SQLSTATE 25006. */
  readOnly?: boolean
  /** Further transaction-local settings, e.g. `request.method`. Names must hold a dot. */
  settings?: Readonly<Record<string, string>>
}

export interface Database {
  readonly kind: Driver['kind']
  /** One transaction under the caller's role and claims; row-level security judges. Nothing of them outlives it. */
  asCaller<T>(caller: Caller, work: (tx: Transaction) => Promise<T>, options?: CallerOptions): Promise<T>
  /** One transaction as the database's owner: the loud bypass of policies. The reason is logged. */
  asOwner<T>(reason: string, work: (tx: Transaction) => Promise<T>): Promise<T>
  listen: Driver['listen']
  close(): Promise<void>
}
