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
