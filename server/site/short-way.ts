import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { logAnswer } from '#server/http/request-log.ts'
import type { ContentWatch } from './content-watch.ts'
import { deliver } from './deliver.ts'
import type { PageCache } from './page-cache.ts'
import { MAX_ADDRESS_LENGTH, pageKey } from './page-key.ts'

interface ShortWayDeps {
  cache: PageCache
  watch: ContentWatch
  /** What the middleware around all handlers would add. */
  headers: Record<string, string>
  log: Logger
}

/** Answers at once what needs no handler; undefined for everything else. */
export type ShortWay = (request: Request) => Promise<Response | undefined>

/**
 * Sends pages that the cache holds without a walk through routes and middleware, which would take longer than the
 * answer: most requests are for such pages. Headers, request id and log line are the same. Requests that bring an id of
 * their own take the long way, where it is checked.
 */
export const createShortWay =
  ({ cache, watch, headers, log }: ShortWayDeps): ShortWay =>
  async (request) => {
    const started = performance.now()
    if (request.method !== 'GET' || request.url.length > MAX_ADDRESS_LENGTH) return undefined
    if (request.headers.has('x-request-id')) return undefined
    await watch.upToDate()
    const url = new URL(request.url)
    const page = cache.fresh(pageKey(url))
    if (!page) return undefined
    const requestId = randomUUID()
    const response = deliver(page, request, { ...headers, 'x-request-id': requestId })
    logAnswer(log, { requestId, method: 'GET', path: url.pathname, status: response.status, started })
    return response
  }
