import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { LogAnswer } from '#server/http/request-log.ts'
import type { ContentWatch } from './content-watch.ts'
import { type DeliverablePage, prepare } from './deliver.ts'
import type { PageCache } from './page-cache.ts'
import { MAX_ADDRESS_LENGTH, pageKey } from './page-key.ts'

interface ShortWayDeps {
  cache: PageCache
  watch: ContentWatch
  /** What the middleware around all handlers would add. */
  headers: Record<string, string>
  logAnswer: LogAnswer
}

/** Answers at once what needs no handler; resolves with false for everything else, untouched. */
export type ShortWay = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

/**
 * Sends pages that the cache holds without a walk through routes and middleware, which would take longer than the
 * answer: most requests are for such pages. Headers, request id and log line are the same. Requests that bring an id of
 * their own take the long way, where it is checked.
 */
export const createShortWay =
  ({ cache, watch, headers: around, logAnswer }: ShortWayDeps): ShortWay =>
  async (request, response) => {
    const started = performance.now()
    const address = request.url ?? ''
    if (request.method !== 'GET' || address.length > MAX_ADDRESS_LENGTH) return false
    if (request.headers['x-request-id'] !== undefined) return false
    await watch.upToDate()
    const page = findPage(cache, address)
    if (!page) return false
    const requestId = randomUUID()
    const { status, headers, body } = await prepare(page, {
      acceptEncoding: request.headers['accept-encoding'],
      ifNoneMatch: request.headers['if-none-match'],
    })
    response.writeHead(status, { ...headers, ...around, 'x-request-id': requestId })
    response.end(body)
    logAnswer({ requestId, method: 'GET', path: address.replace(/\?.*/s, ''), status, started })
    return true
  }

/** Most addresses are keys as they come; the others are brought into order first, unless they name a host (`//x`, `/\x`). */
function findPage(cache: PageCache, address: string): DeliverablePage | undefined {
  const page = cache.fresh(address)
  if (page) return page
  const url = URL.parse(address, base)
  return url?.origin === base ? cache.fresh(pageKey(url)) : undefined
}

/** Only path and query count. */
const base = 'http://localhost'
