import type { MiddlewareHandler } from 'hono'
import { type RequestIdVariables, requestId } from 'hono/request-id'
import type { Logger } from 'pino'

/** What later handlers find in the context. */
export interface RequestEnv {
  Variables: RequestIdVariables
}

/** Gives each request an id, sent back as X-Request-Id, so that a report can be found in the log. */
export const withRequestId = () => requestId({ limitLength: 64 })

interface Answered {
  requestId: string
  method: string
  path: string
  status: number
  /** By performance.now(). */
  started: number
}

/** Writes one line for each answered request. */
export type LogAnswer = (answer: Answered) => void

/** The line holds never the query, headers or bodies, where secrets could stand, and is not searched for any. */
export function logAnswersIn(log: Logger): LogAnswer {
  const plain = log.child({}, { redact: [] })
  return ({ started, ...facts }) => {
    const ms = Math.round((performance.now() - started) * 10) / 10
    const isRoutine = /^\/(assets|healthz|readyz)/.test(facts.path)
    plain[facts.status >= 500 ? 'error' : isRoutine ? 'debug' : 'info']({ ...facts, ms }, 'request')
  }
}

/** Writes the log, and the request's id on each answer. */
export const requestLog = (logAnswer: LogAnswer): MiddlewareHandler<RequestEnv> =>
  async function requestLog(c, next) {
    const started = performance.now()
    await next()
    const { requestId } = c.var
    // Again, because an answer that a handler made by itself does not carry what was set before.
    c.res.headers.set('x-request-id', requestId)
    const { method, path } = c.req
    logAnswer({ requestId, method, path, status: c.res.status, started })
  }
