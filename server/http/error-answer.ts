// How the three protocols answer an error: what the parts below them throw means the same for each, the words are its own.
import type { Logger } from 'pino'
import { DatabaseUnavailable, isSqlError, RequestAborted, type SqlError } from '#server/database/port.ts'
import { FilesFull } from '#server/files/port.ts'
import { Busy } from './fair-gate.ts'

/** A failure that the clients of a protocol understand. */
export interface ProtocolError extends Error {
  readonly status: number
  readonly code: string
}

/** How a protocol words what the parts below it throw. */
export interface ErrorWords<E extends ProtocolError> {
  /** Whether it is one of its own errors already. */
  isOwn: (error: unknown) => error is E
  /** There is no place for the request: try again after so many seconds. */
  busy: (error: Busy) => E
  /** Whoever asked has gone. Unless given, it counts as internal. */
  aborted?: () => E
  unavailable: (cause: DatabaseUnavailable) => E
  /** No room is left on the disk. Unless given, what the database says of its own disk goes through `sql`. */
  full?: (cause: Error) => E
  /** What the database refused. */
  sql: (error: SqlError) => E
  internal: (cause: unknown) => E
}

const DISK_FULL = '53100'

/** What any layer threw, in a protocol's words. */
export function toProtocolError<E extends ProtocolError>(error: unknown, words: ErrorWords<E>): E {
  if (words.isOwn(error)) return error
  if (error instanceof Busy) return words.busy(error)
  if (error instanceof RequestAborted && words.aborted) return words.aborted()
  if (error instanceof DatabaseUnavailable) return words.unavailable(error)
  const isFull = error instanceof FilesFull || (isSqlError(error) && error.code === DISK_FULL)
  if (isFull && words.full) return words.full(error)
  return isSqlError(error) ? words.sql(error) : words.internal(error)
}

/** Writes what is our own fault to the log. A flood is told of by the request log alone, not a second time in words. */
export function logFailure(log: Logger, protocol: string, thrown: unknown, failure: ProtocolError): void {
  if (failure.status < 500 || thrown instanceof Busy) return
  const { status, code } = failure
  const cause = thrown === failure ? (failure.cause ?? failure) : thrown
  log.error({ status, code, reason: reasonOf(cause) }, `${protocol} request failed`)
}

/** Words and place only: what else an error of a database carries can be somebody's data. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = isSqlError(error) ? error.message : error.stack
  return error.cause ? `${place}\ncaused by ${error.cause}` : String(place)
}
