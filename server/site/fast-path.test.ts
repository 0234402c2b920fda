import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { logAnswersIn } from '#server/http/request-log.ts'
import { createFastPath } from './fast-path.ts'
import { createPageCache } from './page-cache.ts'
import { makeDeliverable } from './page-delivery.ts'

const page = await makeDeliverable(
  200,
  { 'content-type': 'text/html' },
  new TextEncoder().encode('<p>Hello</p>'),
)

async function open() {
  const lines: Array<Record<string, unknown>> = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const cache = createPageCache()
  await cache.get('/about', async () => page)
  await cache.get('/resources?page=2&q=calm', async () => page)
  const watch = {
    upToDate: async () => undefined,
    seeOwnChange: async () => undefined,
    stop: async () => undefined,
  }
  const headers = { 'x-frame-options': 'DENY' }
  const fastPath = createFastPath({ cache, watch, headers, logAnswer: logAnswersIn(log) })
  const server = createServer({ maxHeaderSize: 64 * 1024 }, async (request, response) => {
    if (!(await fastPath(request, response))) response.writeHead(418).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  return { ask, cache, lines, port }
}

/** What the server of this test answers when the fast path leaves a request alone. */
const LEFT_ALONE = 418

describe('the fast path', () => {
  it('sends a page that the cache holds, with the headers of every answer and an id', async () => {
    const { ask } = await open()
    const answer = await ask('/about?utm_source=mail')
    expect(await answer.text()).toBe('<p>Hello</p>')
    const { 'x-request-id': id, etag, date, ...headers } = Object.fromEntries(answer.headers)
    expect(date).toBeDefined()
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(etag).toMatch(/^"[\w-]{22}-gzip"$/)
    expect(headers).toEqual({
      'content-type': 'text/html',
      'x-frame-options': 'DENY',
      vary: 'Accept-Encoding',
      'content-length': expect.any(String),
      'content-encoding': 'gzip',
      connection: 'keep-alive',
      'keep-alive': 'timeout=5',
    })
  })

  it('writes the same line to the log, without the query', async () => {
    const { ask, lines } = await open()
    const answer = await ask('/about?utm_source=secret')
    const requestId = answer.headers.get('x-request-id')
    expect(lines).toEqual([
      expect.objectContaining({ requestId, method: 'GET', path: '/about', status: 200, msg: 'request' }),
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it.each(['/resources?page=2&q=calm', '/resources?page=2&utm_source=x&q=calm'])(
    'knows %s in any order',
    async (path) => {
      const { ask } = await open()
      expect(await (await ask(path)).text()).toBe('<p>Hello</p>')
    },
  )

  it('answers who has the page already with 304', async () => {
    const { ask } = await open()
    const etag = (await ask('/about')).headers.get('etag') ?? ''
    expect((await ask('/about', { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  it.each<[what: string, path: string, init?: RequestInit]>([
    ['a page that is not there', '/elsewhere'],
    ['an address that names a host', '//about'],
    ['another method', '/about', { method: 'HEAD' }],
    ['a form', '/about', { method: 'POST', body: 'x' }],
    ['a request with an id of its own', '/about', { headers: { 'x-request-id': 'mine' } }],
    ['an endless address', `/about?q=${'x'.repeat(20_000)}`],
  ])('leaves %s to the handlers', async (_what, path, init) => {
    const { ask, lines } = await open()
    expect((await ask(path, init)).status).toBe(LEFT_ALONE)
    expect(lines).toEqual([])
  })

  it.each(['/\\', '/\\[', '//[', '/\\about', 'http://[/about', '*', ''])(
    'leaves the target %j to the handlers',
    async (target) => {
      const { port } = await open()
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`),
      )
      const answer = (await socket.toArray()).join('')
      // Or the parser's own refusal.
      expect(answer).toMatch(/^HTTP\/1\.1 (418|400) /)
    },
  )

  it('never sends a page from before a change', async () => {
    const { ask, cache } = await open()
    cache.expire()
    expect((await ask('/about')).status).toBe(LEFT_ALONE)
  })
})
