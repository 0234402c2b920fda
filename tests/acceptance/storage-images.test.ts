import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mp3, png, svg } from '#tests/support/samples.ts'
import { storages, type TestStorage } from '#tests/support/storage.ts'

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' }, limitInputPixels: false })
    .jpeg()
    .toBuffer()
const modern = 'image/avif,image/webp,image/*,*/*;q=0.8'

describe.each(storages)('pictures in other sizes on %s', (_name, open) => {
  let storage: TestStorage
  beforeAll(async () => {
    storage = await open()
    const images = storage.as('admin').from('images')
    await images.upload('wide.jpg', await plain(2000, 1000), {
      contentType: 'image/jpeg',
      cacheControl: '86400',
    })
    await images.upload('drawing.svg', svg, { contentType: 'image/svg+xml' })
    await images.upload('broken.png', Buffer.concat([png.subarray(0, 40)], 80), { contentType: 'image/png' })
    await images.upload('bomb.jpg', await plain(10_000, 8_000), { contentType: 'image/jpeg' })
    await storage.as('admin').from('audio').upload('talk.mp3', mp3, { contentType: 'audio/mpeg' })
    await storage
      .as('service')
      .from('vault')
      .upload('secret.jpg', await plain(400, 300), { contentType: 'image/jpeg' })
  })
  afterAll(() => storage.close())

  const render = (path: string, accept = modern, init: RequestInit = {}) =>
    storage.request(`/render/image/public/${path}`, {
      who: 'nobody',
      ...init,
      headers: { accept, ...init.headers },
    })
  const sizeOf = async (response: Response) => {
    const { width, height } = await sharp(await response.arrayBuffer()).metadata()
    return [width, height]
  }

  it.each([
    ['?width=300', modern, 'image/avif', [320, 160]],
    ['?width=640&height=640', 'image/webp,*/*', 'image/webp', [640, 640]],
    ['?width=640&height=640&resize=contain', 'image/webp', 'image/webp', [640, 320]],
    ['?width=480&height=480&resize=fill&format=origin', modern, 'image/jpeg', [480, 480]],
    ['?height=160', '*/*', 'image/jpeg', [320, 160]],
    ['?width=9000', 'image/webp', 'image/webp', [1600, 800]],
  ])('%s for a reader of %s is %s of %j', async (query, accept, type, size) => {
    const response = await render(`images/wide.jpg${query}`, accept)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(response.headers.get('cache-control')).toBe('max-age=86400')
    expect(response.headers.get('vary')).toContain('Accept')
    expect(await sizeOf(response)).toEqual(size)
  })

  it('are made once, however many ask at once, and then kept', async () => {
    const before = (await storage.storedKeys()).length
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => render('images/wide.jpg?width=900', 'image/webp')),
    )
    const eTags = new Set(answers.map((answer) => answer.headers.get('etag')))
    expect([eTags.size, (await storage.storedKeys()).length]).toEqual([1, before + 1])
    const [eTag = ''] = eTags
    const again = await render('images/wide.jpg?width=960', 'image/webp', {
      headers: { 'if-none-match': eTag ?? '' },
    })
    expect(again.status).toBe(304)
    expect((await storage.storedKeys()).length).toBe(before + 1)
  })

  it('go when their picture is replaced or removed', async () => {
    const images = storage.as('admin').from('images')
    const before = await storage.storedKeys()
    await images.upload('short-lived.jpg', await plain(400, 400), { contentType: 'image/jpeg' })
    expect(await sizeOf(await render('images/short-lived.jpg?width=320'))).toEqual([320, 320])
    await images.update('short-lived.jpg', await plain(400, 200), { contentType: 'image/jpeg' })
    expect(await sizeOf(await render('images/short-lived.jpg?width=320'))).toEqual([320, 160])
    expect(await storage.storedKeys()).toHaveLength(before.length + 2)
    await images.remove(['short-lived.jpg'])
    expect(await storage.storedKeys()).toEqual(before)
    expect((await render('images/short-lived.jpg?width=320')).status).toBe(404)
  })

  it('are as private as their picture', async () => {
    const transform = { width: 100, height: 100 }
    const read = (who: 'admin' | 'service') =>
      storage.as(who).from('vault').download('secret.jpg', { transform })
    expect((await render('vault/secret.jpg?width=100')).status).toBe(404)
    expect((await read('admin')).error).toMatchObject({ status: 404 })
    expect((await read('service')).error).toBeNull()
    const signed = await storage.as('service').from('vault').createSignedUrl('secret.jpg', 60, { transform })
    const url = signed.data?.signedUrl ?? ''
    expect(await sizeOf(await storage.fetch(new Request(url)))).toEqual([160, 160])
    const whole = url.replace('/render/image/sign/', '/object/sign/')
    expect((await storage.fetch(new Request(whole))).status).toBe(400)
    const unsigned = await storage.as('service').from('vault').createSignedUrl('secret.jpg', 60)
    const other = (unsigned.data?.signedUrl ?? '').replace('/object/sign/', '/render/image/sign/')
    expect((await storage.fetch(new Request(other))).status).toBe(400)
  })

  it('leave a drawing as it is, never to be run', async () => {
    const response = await render('images/drawing.svg?width=160')
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(response.headers.get('content-disposition')).toBe('attachment')
    expect(Buffer.from(await response.arrayBuffer())).toEqual(svg)
  })

  it.each([
    ['images/wide.jpg?width=0', 400],
    ['images/wide.jpg?width=1e99', 400],
    ['images/wide.jpg?quality=1000', 400],
    ['images/wide.jpg?resize=explode', 400],
    ['images/broken.png?width=160', 400],
    ['images/bomb.jpg?width=160', 400],
    ['audio/talk.mp3?width=160', 400],
    ['images/none.jpg?width=160', 404],
  ])('%s is refused with %i', async (path, status) => {
    const response = await render(path)
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { message: expect.stringMatching(/\w/) },
    ])
  })
})
