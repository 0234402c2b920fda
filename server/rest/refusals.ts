import type { Logger } from 'pino'
import { DatabaseUnavailable, isSqlError, RequestAborted } from '#server/database/errors.ts'
import { Busy } from '#server/http/fair-gate.ts'
import type { Caller } from '#server/identity/caller.ts'
import type { TokenRefused } from '#server/identity/identify.ts'
import { restErrors } from './errors.ts'
import { type Header, toResponse } from './response/reply.ts'
import { RestError } from './rest-error.ts'
import { fromSqlError } from './sql-state.ts'

/** What went wrong, as the client may know it. Everything else is 500, and only the log tells more. */
function toRestError(error: unknown, caller: Caller | undefined): RestError {
  if (error instanceof RestError) return error
  if (error instanceof Busy) return restErrors.busy(error.retryAfter)
  if (error instanceof RequestAborted) return restErrors.aborted()
  if (error instanceof DatabaseUnavailable) return restErrors.databaseGone()
  const signedIn = caller !== undefined && caller.role !== 'anon'
  return isSqlError(error) ? fromSqlError(error, { signedIn }) : restErrors.internal()
}

/** Writes a failure as PostgREST does. */
export function refusal(error: unknown, caller: Caller | undefined, log: Logger): Response {
  const { status, body, headers } = toRestError(error, caller)
  // A flood is told of by the request log alone, not a second time in words.
  if (status >= 500 && !(error instanceof Busy))
    log.error({ status, code: body.code, reason: reasonOf(error) }, 'rest request failed')
  return respond(status, body, headers)
}

/** Words and place only: what else an error of a database carries can be somebody's data. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = isSqlError(error) ? error.message : error.stack
  return error.cause ? `${place}\ncaused by ${error.cause}` : String(place)
}

const respond = (status: number, body: object, headers: readonly Header[] = []): Response =>
  toResponse({
    status,
    headers: [['Content-Type', 'application/json; charset=utf-8'], ...headers],
    body: JSON.stringify(body),
  })

const unauthorized = (body: object, challenge = 'Bearer'): Response =>
  respond(401, body, [['WWW-Authenticate', challenge]])

/** Refusals of identity, in the words of the gateway that stands before a hosted PostgREST, and of PostgREST itself. */
export const identityRefusals = {
  noKey: () =>
    unauthorized({
      message: 'No API key found in request',
      hint: 'No `apikey` request header or url param was found.',
    }),
  badKey: () => unauthorized({ message: 'Invalid API key', hint: 'Double check your API key.' }),
  badToken: ({ message, expired }: TokenRefused) => {
    const text = expired ? 'JWT expired' : message
    const body = { code: expired ? 'PGRST303' : 'PGRST301', message: text, details: null, hint: null }
    return unauthorized(body, `Bearer error="invalid_token", error_description=${JSON.stringify(text)}`)
  },
}
