import type { Context } from 'hono'
import type { Logger } from 'pino'
import { DatabaseUnavailable, isSqlError } from '#server/database/errors.ts'
import { Busy } from '#server/http/fair-gate.ts'
import { TokenRefused } from '#server/identity/identify.ts'
import { AuthError, authErrors, OAuthFormError } from './errors.ts'

const VERSION_HEADER = 'X-Supabase-Api-Version'
/** From this version on the body is `{code, message}`; before, `{code: status, error_code, msg}`. */
const NEW_FORM = '2024-01-01'

/** Writes a failure in the form that the client's version expects. */
export function renderError(c: Context, thrown: Error, log: Logger): Response {
  const error = toAuthError(thrown)
  if (error.status >= 500 && !(thrown instanceof Busy))
    log.error({ err: error.cause ?? error }, 'auth request failed')
  if (error instanceof OAuthFormError)
    return c.json({ error: error.error, error_description: error.message }, 400)
  c.header('x-sb-error-code', error.code)
  if (error.retryAfter !== undefined) c.header('Retry-After', String(error.retryAfter))
  return c.json({ ...bodyFor(clientVersion(c), error), ...error.details }, error.status as 400)
}

/** Echoes the version, so that auth-js knows which form it is reading. */
export function echoVersion(c: Context): void {
  const version = clientVersion(c)
  if (version) c.header(VERSION_HEADER, version)
}

const clientVersion = (c: Context): string | undefined => {
  const version = c.req.header(VERSION_HEADER)
  return version && /^\d{4}-\d\d-\d\d$/.test(version) ? version : undefined
}

const bodyFor = (version: string | undefined, { status, code, message }: AuthError) =>
  version && version >= NEW_FORM ? { code, message } : { code: status, error_code: code, msg: message }

const DISK_FULL = '53100'

/** One table from what our own parts throw to what the protocol knows. */
function toAuthError(error: Error): AuthError {
  if (error instanceof AuthError) return error
  if (error instanceof TokenRefused) return authErrors.badJwt(error.message)
  if (error instanceof Busy) return authErrors.busy(error.retryAfter)
  if (error instanceof DatabaseUnavailable) return authErrors.unavailable(error)
  if (isSqlError(error) && error.code === DISK_FULL) return authErrors.noRoom(error)
  return authErrors.internal(error)
}
