import { describe, expect, it, vi } from 'vitest'
import { Busy } from '#server/http/fair-gate.ts'
import { createPageCache } from './page-cache.ts'
import { type DeliverablePage, makeDeliverable } from './page-delivery.ts'

const page = async (text: string, status = 200): Promise<DeliverablePage> =>
  makeDeliverable(status, {}, new TextEncoder().encode(text))
const text = (made: DeliverablePage) => new TextDecoder().decode(made.bodies.identity)

describe('the page cache', () => {
  it('renders a page once for many readers', async () => {
    const cache = createPageCache()
    const render = vi.fn(() => page('hello'))
    await Promise.all(Array.from({ length: 20 }, () => cache.get('/', render)))
    await cache.get('/', render)
    expect(render).toHaveBeenCalledTimes(1)
  })

  it('asks for a turn only where a render has to begin', async () => {
    const cache = createPageCache()
    const gate = Promise.withResolvers<DeliverablePage>()
    const admit = vi.fn((work: () => Promise<DeliverablePage>) => work())
    const first = cache.get('/', () => gate.promise, admit)
    const never = () => Promise.reject(new Error('no turn'))
    const second = cache.get('/', () => page('twice'), never)
    gate.resolve(await page('once'))
    expect([text(await first), text(await second)]).toEqual(['once', 'once'])
    await cache.get('/', () => page('again'), never)
    await expect(cache.get('/other', () => page('other'), never)).rejects.toThrow('no turn')
    expect(admit).toHaveBeenCalledTimes(1)
  })

  it('gives who waited for a turn the page that was made meanwhile', async () => {
    const cache = createPageCache()
    const turn = Promise.withResolvers<void>()
    const late = cache.get(
      '/',
      () => page('late'),
      async (work) => {
        await turn.promise
        return work()
      },
    )
    await cache.get('/', () => page('made'))
    turn.resolve()
    expect(text(await late)).toBe('made')
  })

  it('keeps addresses apart', async () => {
    const cache = createPageCache()
    await cache.get('/a', () => page('a'))
    expect(text(await cache.get('/b', () => page('b')))).toBe('b')
  })

  it('renders again after a change', async () => {
    const cache = createPageCache()
    await cache.get('/', () => page('old'))
    cache.expire()
    expect(text(await cache.get('/', () => page('new')))).toBe('new')
  })

  it('never keeps a page whose rendering began before a change', async () => {
    const cache = createPageCache()
    const gate = Promise.withResolvers<DeliverablePage>()
    const before = cache.get('/', () => gate.promise)
    cache.expire()
    const after = cache.get('/', () => page('new'))
    gate.resolve(await page('old'))
    expect(text(await before)).toBe('old')
    expect(text(await after)).toBe('new')
    expect(text(await cache.get('/', () => page('newest')))).toBe('new')
  })

  it.each([404, 500, 503, 301])('does not keep an answer of status %i', async (status) => {
    const cache = createPageCache()
    await cache.get('/', () => page('failure', status))
    expect(text(await cache.get('/', () => page('fine')))).toBe('fine')
  })

  it('does not keep a page that asks not to be kept', async () => {
    const cache = createPageCache()
    await cache.get('/', async () => makeDeliverable(200, { 'cache-control': 'no-store' }, new Uint8Array()))
    expect(text(await cache.get('/', () => page('whole')))).toBe('whole')
  })

  it('shows the last good page while the library cannot be reached', async () => {
    const cache = createPageCache()
    await cache.get('/', () => page('good'))
    cache.expire()
    expect(text(await cache.get('/', () => page('sorry', 503)))).toBe('good')
    expect(text(await cache.get('/', () => page('back')))).toBe('back')
  })

  it('lets the next reader try again when a render throws', async () => {
    const cache = createPageCache()
    await expect(cache.get('/', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(text(await cache.get('/', () => page('yes')))).toBe('yes')
  })
})

describe('a page that stands in for one that cannot be made now', () => {
  const busy = () => Promise.reject(new Busy(1))

  it('is shown to readers for whom there is no turn', async () => {
    const cache = createPageCache()
    await cache.get('/', () => page('good'))
    cache.expire()
    expect(text(await cache.get('/', () => page('new'), busy))).toBe('good')
    await expect(cache.get('/other', () => page('new'), busy)).rejects.toThrow(Busy)
  })

  it('is gone when it may show what was made private, also while a render is under way', async () => {
    const cache = createPageCache()
    await cache.get('/', () => page('private now'))
    cache.expire()
    const gate = Promise.withResolvers<DeliverablePage>()
    const asked = cache.get('/', () => gate.promise)
    cache.purge()
    gate.resolve(await page('sorry', 503))
    expect(text(await asked)).toBe('sorry')
    await expect(cache.get('/', () => page('new'), busy)).rejects.toThrow(Busy)
  })

  it('does not hide a mistake of ours', async () => {
    const cache = createPageCache()
    await cache.get('/', () => page('good'))
    cache.expire()
    await expect(cache.get('/', () => Promise.reject(new Error('a mistake')))).rejects.toThrow('a mistake')
  })

  it('waits for another attempt once a second while the library is away', async () => {
    let now = 0
    const cache = createPageCache({ now: () => now })
    await cache.get('/', () => page('good'))
    cache.doubt({ isServerDown: true })
    const render = vi.fn(() => page('sorry', 503))
    for (let n = 0; n < 10; n++) expect(text(await cache.get('/', render))).toBe('good')
    expect(render).toHaveBeenCalledTimes(1)
    now += 1_001
    await cache.get('/', render)
    expect(render).toHaveBeenCalledTimes(2)
    cache.trust()
    await cache.get('/', render)
    expect(render).toHaveBeenCalledTimes(2)
  })
})
