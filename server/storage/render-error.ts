import type { Logger } from 'pino'
import type { SqlError } from '#server/database/errors.ts'
import { FileMissing } from '#server/files/port.ts'
import { logFailure, toProtocolError } from '#server/http/error-answer.ts'
import { Busy } from '#server/http/fair-gate.ts'
import { StorageError, storageErrors } from './errors.ts'

/**
 * Writes a failure as storage-js expects it. The cause goes to the log, never into the body. The hosted service answers
 * 400 on the wire for most failures and the true status in the body; here both are true, because pictures and audio are
 * also read by browsers, caches and crawlers, and storage-js itself reads the body first.
 */
export function renderStorageError(error: unknown, log: Logger): Response {
  const failure = toStorageError(error)
  logFailure(log, 'storage', error, failure)
  const headers = new Headers(error instanceof Busy ? [['retry-after', String(error.retryAfter)]] : [])
  return Response.json(errorBody(failure), { status: failure.status, headers })
}

export const errorBody = ({ status, error, message, code }: StorageError) => ({
  statusCode: String(status),
  error,
  message,
  code,
})

/** What any layer below threw, in the words of this protocol. */
export const toStorageError = (error: unknown): StorageError =>
  toProtocolError(error, {
    isOwn: (own) => own instanceof StorageError,
    busy: storageErrors.busy,
    unavailable: storageErrors.unavailable,
    full: storageErrors.full,
    sql: fromSql,
    internal: (cause) =>
      cause instanceof FileMissing ? storageErrors.objectNotFound() : storageErrors.internal(cause),
  })

const fromSql = (error: SqlError): StorageError => {
  // Class 22: a value that has no place in its column, such as half of a surrogate pair.
  if (error.code.startsWith('22'))
    return storageErrors.invalid('The request holds a value that cannot be stored')
  return (bySqlState[error.code] ?? storageErrors.internal)(error)
}

/** What the database refused; anything not named here is our own mistake. */
const bySqlState: Readonly<Record<string, (cause: Error) => StorageError>> = {
  '23505': storageErrors.exists,
  '42501': storageErrors.policyRefused,
  '40001': storageErrors.busy,
  '40P01': storageErrors.busy,
  '53300': storageErrors.busy,
  '57014': storageErrors.busy,
  // Raised on purpose by a trigger or a policy's function: its words are meant for the caller.
  P0001: (cause) => storageErrors.invalid(cause.message),
}
