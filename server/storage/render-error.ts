import type { Logger } from 'pino'
import { DatabaseUnavailable, isSqlError, type SqlError } from '#server/database/errors.ts'
import { FileMissing, FilesFull } from '#server/files/port.ts'
import { Busy } from '#server/http/fair-gate.ts'
import { StorageError, storageErrors } from './errors.ts'

/**
 * Writes a failure as storage-js expects it. The cause goes to the log, never into the body. The hosted service answers
 * 400 on the wire for most failures and the true status in the body; here both are true, because pictures and audio are
 * also read by browsers, caches and crawlers, and storage-js itself reads the body first.
 */
export function renderStorageError(error: unknown, log: Logger): Response {
  const failure = toStorageError(error)
  if (error instanceof Busy) {
    return Response.json(errorBody(failure), {
      status: failure.status,
      headers: { 'retry-after': String(error.retryAfter) },
    })
  }
  if (failure.status >= 500) log.error({ err: failure }, 'storage request failed')
  return Response.json(errorBody(failure), { status: failure.status })
}

export const errorBody = ({ status, error, message, code }: StorageError) => ({
  statusCode: String(status),
  error,
  message,
  code,
})

/** What any layer below threw, in the words of this protocol. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error
  if (error instanceof Busy) return storageErrors.busy(error)
  if (error instanceof FileMissing) return storageErrors.objectNotFound()
  if (error instanceof FilesFull) return storageErrors.full(error)
  if (error instanceof DatabaseUnavailable) return storageErrors.unavailable(error)
  if (isSqlError(error)) return fromSql(error)
  return storageErrors.internal(error)
}

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
  '53100': storageErrors.full,
  '53300': storageErrors.busy,
  '57014': storageErrors.busy,
  // Raised on purpose by a trigger or a policy's function: its words are meant for the caller.
  P0001: (cause) => storageErrors.invalid(cause.message),
}
