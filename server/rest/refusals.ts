import type { Logger } from 'pino'
import { logFailure, toProtocolError } from '#server/http/error-answer.ts'
import type { TokenRefused } from '#server/tokens/authenticate.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { restErrors } from './errors.ts'
import { type Header, toResponse } from './response/reply.ts'
import { RestError } from './rest-error.ts'
import { fromSqlError } from './sql-state.ts'

/** What went wrong, as the client may know it. Everything else is 500, and only the log tells more. */
const toRestError = (thrown: unknown, caller: Caller | undefined): RestError =>
  toProtocolError(thrown, {
    isOwn: (error) => error instanceof RestError,
    busy: ({ retryAfter }) => restErrors.busy(retryAfter),
    aborted: restErrors.aborted,
    unavailable: restErrors.databaseGone,
    sql: (error) => fromSqlError(error, { signedIn: caller !== undefined && caller.role !== 'anon' }),
    internal: restErrors.internal,
  })

/** Writes a failure as PostgREST does. */
export function refusal(thrown: unknown, caller: Caller | undefined, log: Logger): Response {
  const error = toRestError(thrown, caller)
  logFailure(log, 'rest', thrown, error)
  return respond(error.status, error.body, error.headers)
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
