import type { Context } from 'hono'
import type { Logger } from 'pino'
import { logFailure, toProtocolError } from '#server/http/error-answer.ts'
import { TokenRefused } from '#server/tokens/authenticate.ts'
import { AuthError, authErrors, OAuthFormError } from './errors.ts'

const VERSION_HEADER = 'X-Supabase-Api-Version'
/** From this version on the body is `{code, message}`; before, `{code: status, error_code, msg}`. */
const NEW_FORM = '2024-01-01'

/** Writes a failure in the form that the client's version expects. */
export function renderError(c: Context, thrown: Error, log: Logger): Response {
  const error = toAuthError(thrown)
  logFailure(log, 'auth', thrown, error)
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

/** What our own parts throw, in the words of the protocol. */
const toAuthError = (thrown: Error): AuthError =>
  toProtocolError(thrown, {
    isOwn: (error) => error instanceof AuthError,
    busy: ({ retryAfter }) => authErrors.busy(retryAfter),
    unavailable: authErrors.unavailable,
    full: authErrors.noRoom,
    sql: authErrors.internal,
    internal: (cause) =>
      cause instanceof TokenRefused ? authErrors.badJwt(cause.message) : authErrors.internal(cause),
  })
