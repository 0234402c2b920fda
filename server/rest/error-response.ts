import type { Logger } from 'pino'
import { z } from 'zod'
import type { SqlError } from '#server/database/port.ts'
import { logFailure, toProtocolError } from '#server/http/error-answer.ts'
import type { TokenRefused } from '#server/tokens/authenticate.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { RestError, restErrors } from './errors.ts'
import { type Header, HeaderMap, toResponse } from './response.ts'

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
export function errorResponse(thrown: unknown, caller: Caller | undefined, log: Logger): Response {
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

/** Who asks is not known: in the words of the gateway that stands before a hosted PostgREST, and of PostgREST itself. */
export const authenticationErrors = {
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

/** SQLSTATE → status (protocol.md 6.10): whole codes first, then classes; everything else is the client's: 400. */
const statuses: Readonly<Record<string, number>> = {
  '21000': 500,
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42501': 403,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53400': 500,
  '57P01': 503,
  P0001: 400,
  '08': 503,
  '53': 503,
  '0L': 403,
  '0P': 403,
  '28': 403,
  '09': 500,
  '25': 500,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '54': 500,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
}

/** The database's refusal in its own words. `signedIn` is false for visitors, whom more rights may await: 401. */
export function fromSqlError(error: SqlError, { signedIn }: { signedIn: boolean }): RestError {
  if (error.code === 'PGRST') return fromRaise(error)
  const { code, message, detail, hint } = error
  const status = code === '42501' && !signedIn ? 401 : statusOf(code)
  const body = { code, message, details: detail ?? null, hint: hint ?? null }
  return new RestError(status, body, status === 401 ? [['WWW-Authenticate', 'Bearer']] : [])
}

function statusOf(code: string): number {
  const own = /^PT([2-5]\d\d)$/.exec(code)?.[1]
  if (own) return Number(own)
  if (code.startsWith('PT')) return 500
  return statuses[code] ?? statuses[code.slice(0, 2)] ?? 400
}

const RaisedMessage = z.object({
  code: z.string(),
  message: z.string(),
  details: z.string().nullish(),
  hint: z.string().nullish(),
})
const RaisedDetail = z.object({
  status: z.int().min(200).max(599),
  status_text: z.string().nullish(),
  headers: HeaderMap,
})

/** `raise sqlstate 'PGRST'`: the function writes the whole answer as JSON in message and detail. */
function fromRaise({ message, detail }: SqlError): RestError {
  const body = readJson(RaisedMessage, message)
  if (!body) {
    return restErrors.badRaise(
      `Invalid JSON value for MESSAGE: '${message}'`,
      "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
    )
  }
  const response = readJson(RaisedDetail, detail ?? '')
  if (response) return new RestError(response.status, body, Object.entries(response.headers))
  return restErrors.badRaise(
    detail ? `Invalid JSON value for DETAIL: '${detail}'` : 'DETAIL is missing in the RAISE statement',
    "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
  )
}

function readJson<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
