import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { deliver, makeDeliverable, prepare } from './page-delivery.ts'

const text = 'A page that says something. '.repeat(100)
const page = makeDeliverable(200, { 'content-type': 'text/html' }, new TextEncoder().encode(text))
const ask = (headers: Record<string, string>, method = 'GET') =>
  deliver(page, new Request('http://site.test/', { method, headers }))
const body = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe('delivering a page', () => {
  it.each([
    ['br', 'gzip, deflate, br, zstd', (bytes: Buffer) => brotliDecompressSync(bytes)],
    ['gzip', 'gzip, br;q=0', (bytes: Buffer) => gunzipSync(bytes)],
    [null, 'deflate', (bytes: Buffer) => bytes],
    [null, '', (bytes: Buffer) => bytes],
  ])('sends %s to who accepts "%s"', async (encoding, accepted, decode) => {
    const response = await ask({ 'accept-encoding': accepted })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    const bytes = await body(response)
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    expect(decode(bytes).toString()).toBe(text)
  })

  it('gives each encoding its own strong ETag and answers it with 304', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', ''].map(async (encoding) => {
        const etag = (await ask({ 'accept-encoding': encoding })).headers.get('etag') ?? ''
        const again = await ask({ 'accept-encoding': encoding, 'if-none-match': `"other", ${etag}` })
        expect([again.status, again.body]).toEqual([304, null])
        return etag
      }),
    )
    expect(new Set(tags).size).toBe(3)
    expect(tags.every((tag) => /^"[\w-]+"$/.test(tag))).toBe(true)
  })

  it('compresses the answer to a search quickly for who came first, and well for all others', async () => {
    const fresh = makeDeliverable(200, {}, new TextEncoder().encode(text))
    const first = await deliver(
      fresh,
      new Request('http://site.test/resources?q=sleep', { headers: { 'accept-encoding': 'br' } }),
    )
    const quick = first.headers.get('etag') ?? ''
    const well = await prepare(fresh, { acceptEncoding: 'br' })
    expect(well.headers.etag).not.toBe(quick)
    expect(brotliDecompressSync(await body(first)).toString()).toBe(text)
    expect(brotliDecompressSync(well.body ?? '').toString()).toBe(text)
    const again = await prepare(fresh, { acceptEncoding: 'br', ifNoneMatch: quick })
    expect([again.status, again.headers.etag]).toEqual([304, quick])
  })

  it('sends headers without a body to HEAD', async () => {
    const response = await ask({}, 'HEAD')
    expect([response.status, response.body, response.headers.get('content-length')]).toEqual([
      200,
      null,
      String(text.length),
    ])
  })

  it('varies by encoding, so that no proxy mixes them up', async () => {
    expect((await ask({})).headers.get('vary')).toBe('Accept-Encoding')
  })
})
