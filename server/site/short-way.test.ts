import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { makeDeliverable } from './deliver.ts'
import { createPageCache } from './page-cache.ts'
import { createShortWay } from './short-way.ts'

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
  const watch = { upToDate: async () => undefined, stop: async () => undefined }
  const shortWay = createShortWay({ cache, watch, headers: { 'x-frame-options': 'DENY' }, log })
  const ask = (path: string, init?: RequestInit) => shortWay(new Request(`http://site.test${path}`, init))
  return { ask, cache, lines }
}

describe('the short way', () => {
  it('sends a page that the cache holds, with the headers of every answer and an id', async () => {
    const { ask } = await open()
    const answer = await ask('/about?utm_source=mail')
    expect(await answer?.text()).toBe('<p>Hello</p>')
    const { 'x-request-id': id, etag, ...headers } = Object.fromEntries(answer?.headers ?? [])
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    expect(headers).toEqual({
      'content-type': 'text/html',
      'x-frame-options': 'DENY',
      vary: 'Accept-Encoding',
      'content-length': '12',
    })
  })

  it('writes the same line to the log, without the query', async () => {
    const { ask, lines } = await open()
    const answer = await ask('/about?utm_source=secret')
    const requestId = answer?.headers.get('x-request-id')
    expect(lines).toEqual([
      expect.objectContaining({ requestId, method: 'GET', path: '/about', status: 200, msg: 'request' }),
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it('answers who has the page already with 304', async () => {
    const { ask } = await open()
    const etag = (await ask('/about'))?.headers.get('etag') ?? ''
    expect((await ask('/about', { headers: { 'if-none-match': etag } }))?.status).toBe(304)
  })

  it.each<[what: string, path: string, init?: RequestInit]>([
    ['a page that is not there', '/elsewhere'],
    ['another method', '/about', { method: 'HEAD' }],
    ['a form', '/about', { method: 'POST', body: 'x' }],
    ['a request with an id of its own', '/about', { headers: { 'x-request-id': 'mine' } }],
    ['an endless address', `/about?q=${'x'.repeat(20_000)}`],
  ])('leaves %s to the handlers', async (_what, path, init) => {
    const { ask, lines } = await open()
    expect(await ask(path, init)).toBeUndefined()
    expect(lines).toEqual([])
  })

  it('never sends a page from before a change', async () => {
    const { ask, cache } = await open()
    cache.expire()
    expect(await ask('/about')).toBeUndefined()
  })
})
