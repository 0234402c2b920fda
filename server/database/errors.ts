/** The database refused a statement: SQLSTATE and PostgreSQL's own words. Both adapters throw this shape. */
export interface SqlError extends Error {
  code: string
  detail?: string
  hint?: string
}

const sqlState = /^[0-9A-Z]{5}$/

/** Whether the database itself answered with an error (as opposed to not answering). */
export const isSqlError = (error: unknown): error is SqlError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && sqlState.test(error.code)

/** The database cannot be reached, or went away in the middle of a transaction. Trying again later may help. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database cannot be reached', { cause })
    this.name = 'DatabaseUnavailable'
  }
}
