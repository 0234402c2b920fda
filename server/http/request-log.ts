import type { MiddlewareHandler } from 'hono'
import { type RequestIdVariables, requestId } from 'hono/request-id'
import type { Logger } from 'pino'

/** What later handlers find in the context. */
export interface RequestEnv {
  Variables: RequestIdVariables
}

/** Gives each request an id, sent back as X-Request-Id, so that a report can be found in the log. */
export const withRequestId = () => requestId({ limitLength: 64 })

/** One line for each answered request: never the query, headers or bodies, where secrets could stand. */
export const requestLog = (log: Logger): MiddlewareHandler<RequestEnv> =>
  async function requestLog(c, next) {
    const started = performance.now()
    await next()
    // Again, because an answer that a handler made by itself does not carry what was set before.
    c.res.headers.set('x-request-id', c.var.requestId)
    const { method, path } = c.req
    const ms = Math.round((performance.now() - started) * 10) / 10
    const level = c.res.status >= 500 ? 'error' : /^\/(assets|healthz|readyz)/.test(path) ? 'debug' : 'info'
    log[level]({ requestId: c.var.requestId, method, path, status: c.res.status, ms }, 'request')
  }
