import { createHash } from 'node:crypto'
import { PostgrestClient } from '@supabase/postgrest-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { startSite } from '#tests/support/site-server.ts'

let server: ServerProcess
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: 'manual' })
const asService = () =>
  new PostgrestClient(`${server.url}/rest/v1`, { headers: { apikey: server.keys.secret } })

beforeAll(async () => {
  server = await startSite()
})
afterAll(() => server.remove())

describe('delivery of pages', () => {
  it('shows the library in the HTML itself', async () => {
    const html = await (await get('/resources')).text()
    expect(html).toContain('A ten-minute walk, side by side')
    expect(html.match(/href="\/resource\/[0-9a-f-]{36}"/g)?.length).toBeGreaterThanOrEqual(8)
  })

  it('sends a cached page with an ETag, and nothing to who has it', async () => {
    const first = await get('/resources')
    const etag = first.headers.get('etag') ?? ''
    expect([first.headers.get('cache-control'), etag]).toEqual([
      'public, no-cache',
      expect.stringMatching(/^"[\w-]+"$/),
    ])
    const again = await get('/resources', { 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('sends a kept page exactly as it was sent at first', async () => {
    const facts = async (id?: string) => {
      const answer = await get('/about?kept', id ? { 'x-request-id': id } : {})
      const { date, 'x-request-id': requestId, ...headers } = Object.fromEntries(answer.headers)
      return { status: answer.status, headers, html: await answer.text() }
    }
    // A request with an id of its own goes through all handlers.
    const first = await facts('by-all-handlers')
    expect(await facts()).toEqual(first)
  })

  it('ignores query keys that mean nothing', async () => {
    const plain = await get('/resources')
    const marked = await get('/resources?utm_source=letter&fbclid=x')
    expect(marked.headers.get('etag')).toBe(plain.headers.get('etag'))
  })

  it('shows a change at once, and never what is private', async () => {
    await get('/resources/webinar')
    const { data, error } = await asService()
      .from('resources')
      .insert([
        { title: 'Brand new webinar', description: 'Just published', category: 'webinar', public: true },
        {
          title: 'Members only webinar',
          description: 'Not for visitors',
          category: 'webinar',
          public: false,
        },
      ])
      .select('id')
    expect(error).toBeNull()
    const html = await (await get('/resources/webinar')).text()
    expect(html).toContain('Brand new webinar')
    expect(html).not.toContain('Members only webinar')
    await asService()
      .from('resources')
      .delete()
      .in('id', data?.map(({ id }) => id) ?? [])
    expect(await (await get('/resources/webinar')).text()).not.toContain('Brand new webinar')
  })

  it.each([
    ['/privacy-policy', '/privacy'],
    ['/terms-of-service', '/terms'],
  ])('%s has moved to %s', async (from, to) => {
    const answer = await get(from)
    expect([answer.status, answer.headers.get('location')]).toEqual([301, to])
  })

  it.each([
    '/nowhere',
    '/resources/cooking',
    '/resource/not-a-uuid',
    '/resource/00000000-0000-4000-8000-000000000000',
  ])('%s is answered with 404', async (path) => expect((await get(path)).status).toBe(404))

  it('refuses an address that no page can have, and methods that pages have not', async () => {
    expect((await get(`/resources?q=${'x'.repeat(20_000)}`)).status).toBe(414)
    expect((await fetch(`${server.url}/resources`, { method: 'PUT' })).status).toBe(405)
  })

  it.each([
    '%',
    '_',
    '\\',
    "'",
    '"',
    '"),(',
    'a,b',
    '(',
    ')',
    '*',
    '🌱',
    '%00',
    'x'.repeat(10_000),
    '%E0%A4%A',
  ])('a search for %s is answered', async (words) => {
    const search = words.startsWith('%E0') || words === '%00' ? words : encodeURIComponent(words)
    expect((await get(`/resources?q=${search}`)).status).toBeLessThan(415)
  })

  it.each([
    '/resources?page=0',
    '/resources?page=-1',
    '/resources?page=99999',
    '/resources?page=1e9',
    '/resources?size=7',
    '/resources?grade=99&gender=cat&view=maze',
    '/resources?location=Nowhere',
    '/resources?page=2&page=3&q=&q=a',
  ])('%s falls back to something sensible', async (path) => expect((await get(path)).status).toBe(200))
})

describe('protection of pages', () => {
  it('allows exactly its own inline scripts', async () => {
    const answer = await get('/resources')
    const policy = answer.headers.get('content-security-policy') ?? ''
    const scripts = policy.split('; ').find((part) => part.startsWith('script-src'))
    const inline = [
      ...(await answer.text()).matchAll(/<script(?![^>]* src=)(?![^>]*ld\+json)[^>]*>([\s\S]*?)<\/script>/g),
    ]
    expect(inline.length).toBeGreaterThan(0)
    for (const [, code = ''] of inline) {
      expect(scripts).toContain(`'sha256-${createHash('sha256').update(code).digest('base64')}'`)
    }
    expect(scripts).not.toMatch(/unsafe|nonce|http/)
  })

  it('has the headers that keep a page to itself', async () => {
    expect(Object.fromEntries((await get('/')).headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
  })

  it('keeps built files for ever and compresses them beforehand', async () => {
    const html = await (await get('/')).text()
    const script = /"(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''
    const answer = await get(script, { 'accept-encoding': 'br' })
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-encoding')).toBe('br')
    expect(answer.headers.get('content-type')).toContain('javascript')
    expect((await get('/assets/never-built.js')).status).toBe(404)
  })

  it('asks nothing of anybody else', async () => {
    const html = await (await get('/')).text()
    const loaded = [...html.matchAll(/<(?:script|img|source|link)[^>]+(?:src|href)="([^"]+)"[^>]*>/g)]
      .filter(([tag, address]) => !/rel="(canonical|alternate)"/.test(tag) && !address?.startsWith('data:'))
      .map(([, address = '']) => new URL(address, server.url).origin)
    expect(new Set(loaded)).toEqual(new Set([server.url]))
  })
})

describe('hosted mode', { timeout: 60_000 }, () => {
  it('renders against another origin, follows its changes, and mounts no protocol server', async () => {
    const env = {
      SUPABASE_URL: server.url,
      SUPABASE_PUBLISHABLE_KEY: server.keys.publishable,
      SUPABASE_SECRET_KEY: server.keys.secret,
    }
    const hosted = await startServer({ env })
    const page = await fetch(`${hosted.url}/resources`)
    expect(await page.text()).toContain('A ten-minute walk, side by side')
    expect(page.headers.get('content-security-policy')).toContain(`connect-src 'self' ${server.url}`)
    expect((await fetch(`${hosted.url}/rest/v1/resources`)).headers.get('content-type')).toContain(
      'text/html',
    )
    await hosted.remove()
  })
})
