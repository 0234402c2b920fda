import type { Logger } from 'pino'
import type { SqlError } from '#server/database/port.ts'
import { FileMissing } from '#server/files/port.ts'
import { logFailure, toProtocolError } from '#server/http/error-answer.ts'
import { Busy } from '#server/http/fair-gate.ts'

interface Failure {
  /** The newer, exact word, by which storage-js tells failures apart. */
  code: string
  /** The older word, in the body as `error`. */
  error: string
  status: number
}

/** A failure that a client of /storage/v1 understands (protocol.md 7.3). */
class StorageError extends Error implements Failure {
  readonly code: string
  readonly error: string
  readonly status: number
  constructor({ code, error, status }: Failure, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StorageError'
    this.code = code
    this.error = error
    this.status = status
  }
}

const refuse = (status: number, code: string, error: string, message: string, cause?: unknown) =>
  new StorageError({ code, error, status }, message, cause)

/** Every refusal, by what went wrong. Codes and words are those of Supabase's storage server where it has them. */
export const storageErrors = {
  bucketNotFound: () => refuse(404, 'NoSuchBucket', 'Bucket not found', 'Bucket not found'),
  bucketNotEmpty: () =>
    refuse(409, 'ResourceNotEmpty', 'InvalidRequest', 'The bucket you tried to delete is not empty'),
  bucketName: () => refuse(400, 'InvalidBucketName', 'Invalid Input', 'Bucket name invalid'),
  objectNotFound: () => refuse(404, 'NoSuchKey', 'not_found', 'Object not found'),
  objectName: (name: string) =>
    refuse(400, 'InvalidKey', 'InvalidKey', `Invalid key: ${name.slice(0, 100).replaceAll(/\p{Cc}/gu, '�')}`),
  uploadNotFound: () => refuse(404, 'NoSuchUpload', 'not_found', 'Upload not found'),
  routeNotFound: () => refuse(404, 'not_found', 'not_found', 'Route not found'),
  exists: () => refuse(409, 'ResourceAlreadyExists', 'Duplicate', 'The resource already exists'),
  tooLarge: () =>
    refuse(413, 'EntityTooLarge', 'Payload too large', 'The object exceeded the maximum allowed size'),
  mimeType: (type: string) =>
    refuse(415, 'InvalidMimeType', 'invalid_mime_type', `mime type ${type} is not supported`),
  notWhatItSays: (type: string) =>
    refuse(415, 'InvalidMimeType', 'invalid_mime_type', `The content is not of the type ${type}`),
  empty: (type: string) =>
    refuse(415, 'InvalidMimeType', 'invalid_mime_type', `A file of the type ${type} cannot be empty`),
  policyRefused: () =>
    refuse(403, 'AccessDenied', 'Unauthorized', 'new row violates row-level security policy'),
  noKey: () =>
    refuse(400, 'MissingParameter', 'Error', "headers must have required property 'authorization'"),
  badKey: () => refuse(401, 'AccessDenied', 'Unauthorized', 'Invalid API key'),
  badToken: (expired: boolean) =>
    refuse(
      403,
      'AccessDenied',
      'Unauthorized',
      expired ? '"exp" claim timestamp check failed' : 'Invalid Compact JWS',
    ),
  badSignature: (message = 'Invalid JWT') => refuse(400, 'InvalidJWT', 'InvalidJWT', message),
  invalid: (message: string, cause?: unknown) =>
    refuse(400, 'InvalidRequest', 'invalid_request', message, cause),
  cutOff: (cause: unknown) =>
    refuse(400, 'InvalidRequest', 'invalid_request', 'The upload ended before all of it had arrived', cause),
  full: (cause: unknown) =>
    refuse(507, 'InsufficientStorage', 'insufficient_storage', 'There is no room left to store files', cause),
  busy: (cause: unknown) =>
    refuse(503, 'SlowDown', 'unavailable', 'The service is busy. Try again in a moment.', cause),
  unavailable: (cause: unknown) =>
    refuse(
      503,
      'DatabaseError',
      'unavailable',
      'The database cannot be reached. Try again in a moment.',
      cause,
    ),
  internal: (cause: unknown) =>
    refuse(500, 'InternalError', 'internal', 'Something went wrong on our side', cause),
}

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
