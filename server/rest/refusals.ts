import type { Logger } from 'pino'
import { DatabaseUnavailable, isSqlError } from '#server/database/errors.ts'
import type { Caller } from '#server/identity/caller.ts'
import type { TokenRefused } from '#server/identity/identify.ts'
import { RestError, restErrors } from './errors.ts'
import { fromSqlError } from './sql-state.ts'

/** What went wrong, as the client may know it. Everything else is 500, and only the log tells more. */
function toRestError(error: unknown, caller: Caller | undefined): RestError {
  if (error instanceof RestError) return error
  if (error instanceof DatabaseUnavailable) return restErrors.databaseGone()
  const signedIn = caller !== undefined && caller.role !== 'anon'
  return isSqlError(error) ? fromSqlError(error, { signedIn }) : restErrors.internal()
}

/** Writes a failure as PostgREST does. The adapters' errors carry the statement's values, so the log gets none of them. */
export function refusal(error: unknown, caller: Caller | undefined, log: Logger): Response {
  const known = toRestError(error, caller)
  const { status, body } = known
  if (status >= 500) log.error({ status, code: body.code, reason: reasonOf(error) }, 'rest request failed')
  return respond(status, body, known.headers)
}

const reasonOf = (error: unknown): string | undefined =>
  error instanceof Error && !isSqlError(error) ? error.stack : (error as Error).message

const respond = (status: number, body: object, headers: RestError['headers'] = []): Response =>
  Response.json(body, {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...Object.fromEntries(headers) },
  })

/** Refusals of identity, in the words of the gateway that stands before a hosted PostgREST, and of PostgREST itself. */
export const identityRefusals = {
  noKey: () =>
    respond(401, {
      message: 'No API key found in request',
      hint: 'No `apikey` request header or url param was found.',
    }),
  badKey: () => respond(401, { message: 'Invalid API key', hint: 'Double check your API key.' }),
  badToken: ({ message, expired }: TokenRefused) => {
    const text = expired ? 'JWT expired' : message
    const body = { code: expired ? 'PGRST303' : 'PGRST301', message: text, details: null, hint: null }
    const header = `Bearer error="invalid_token", error_description=${JSON.stringify(text)}`
    return respond(401, body, [['WWW-Authenticate', header]])
  },
}
