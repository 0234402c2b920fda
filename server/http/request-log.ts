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

/** One line for each answered request: never the query, headers or bodies, where secrets could stand. */
export function logAnswer(log: Logger, { started, ...facts }: Answered): void {
  const ms = Math.round((performance.now() - started) * 10) / 10
  const isRoutine = /^\/(assets|healthz|readyz)/.test(facts.path)
  log[facts.status >= 500 ? 'error' : isRoutine ? 'debug' : 'info']({ ...facts, ms }, 'request')
}

/** Writes the log, and the request's id on each answer. */
export const requestLog = (log: Logger): MiddlewareHandler<RequestEnv> =>
  async function requestLog(c, next) {
    const started = performance.now()
    await next()
    const { requestId } = c.var
    // Again, because an answer that a handler made by itself does not carry what was set before.
    c.res.headers.set('x-request-id', requestId)
    const { method, path } = c.req
    logAnswer(log, { requestId, method, path, status: c.res.status, started })
  }
