import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mp3, png } from '#tests/support/samples.ts'
import { serveStorage, storages, type TestStorage, type Who } from '#tests/support/storage.ts'

const MB = 1024 * 1024
const recording = Buffer.concat([mp3], 12 * MB)
const base = '/upload/resumable'

describe.each(storages)('uploads in pieces on %s', (_name, open) => {
  let storage: TestStorage
  beforeAll(async () => {
    storage = await open()
  })
  afterAll(() => storage.close())

  interface Call {
    who?: Who
    headers?: Record<string, string>
    body?: BodyInit
    at?: string
  }
  const call = (method: string, { who = 'admin', headers = {}, body, at = base }: Call = {}) =>
    storage.request(at.replace('/storage/v1', ''), {
      who,
      method,
      headers: { 'tus-resumable': '1.0.0', ...headers },
      ...(body !== undefined && { body, duplex: 'half' }),
    })
  const metadata = (values: Record<string, string>) =>
    Object.entries(values)
      .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
      .join(',')
  const about = (objectName: string, more: Record<string, string> = {}) =>
    metadata({ bucketName: 'audio', objectName, contentType: 'audio/mpeg', ...more })
  const begin = (
    objectName: string,
    size = recording.length,
    more: Call & { about?: Record<string, string> } = {},
  ) =>
    call('POST', {
      ...more,
      headers: {
        'upload-length': String(size),
        'upload-metadata': about(objectName, more.about),
        ...more.headers,
      },
    })
  const begun = async (...parameters: Parameters<typeof begin>) =>
    (await begin(...parameters)).headers.get('location') ?? 'none'
  const send = (at: string, offset: number, body: BodyInit, more: Call = {}) =>
    call('PATCH', {
      ...more,
      at,
      body,
      headers: {
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
        ...more.headers,
      },
    })
  const offsetOf = async (at: string, who: Who = 'admin') => {
    const response = await call('HEAD', { at, who })
    return response.status === 200 ? Number(response.headers.get('upload-offset')) : response.status
  }
  const audio = () => storage.as('admin').from('audio')
  const bytesOf = async (name: string) =>
    Buffer.from(await ((await audio().download(name)).data ?? new Blob()).arrayBuffer())

  it('become an object when the last piece is there, and leave no pieces', async () => {
    const created = await begin('Grüße/talk.mp3', recording.length, {
      about: { cacheControl: '60', metadata: '{"by":"me"}' },
    })
    const at = created.headers.get('location') ?? ''
    expect([created.status, at]).toEqual([
      201,
      expect.stringMatching(/^\/storage\/v1\/upload\/resumable\/[\da-f-]{36}$/),
    ])
    expect(Date.parse(created.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now())

    const first = await send(at, 0, recording.subarray(0, 7 * MB))
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, String(7 * MB)])
    expect(await offsetOf(at)).toBe(7 * MB)
    expect((await audio().exists('Grüße/talk.mp3')).data).toBe(false)

    const last = await send(at, 7 * MB, recording.subarray(7 * MB))
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, String(recording.length)])
    expect(await bytesOf('Grüße/talk.mp3')).toEqual(recording)
    expect((await audio().info('Grüße/talk.mp3')).data).toMatchObject({
      contentType: 'audio/mpeg',
      cacheControl: 'max-age=60',
      metadata: { by: 'me' },
    })
    expect(await storage.storedKeys()).toHaveLength(1)
    expect(await offsetOf(at)).toBe(404)
  })

  it('go on after a broken connection, even in another process', async () => {
    const at = await begun('broken.mp3')
    const broken = new ReadableStream({
      async start(controller) {
        controller.enqueue(recording.subarray(0, 6 * MB))
        await new Promise((resolve) => setTimeout(resolve, 300))
        controller.error(new Error('the line went dead'))
      },
    })
    await send(at, 0, broken)
    const offset = await offsetOf(at)
    expect(offset).toBe(5 * MB)
    const other = serveStorage(storage.db, storage.files)
    const response = await other.request(at.replace('/storage/v1', ''), {
      method: 'PATCH',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
      body: recording.subarray(offset),
    })
    expect(response.status).toBe(204)
    expect(await bytesOf('broken.mp3')).toEqual(recording)
  })

  it('can begin with the first piece, and with an unknown length', async () => {
    const whole = await call('POST', {
      headers: {
        'upload-length': String(mp3.length),
        'upload-metadata': about('at-once.mp3'),
        'content-type': 'application/offset+octet-stream',
      },
      body: mp3,
    })
    expect(whole.status).toBe(201)
    expect(await bytesOf('at-once.mp3')).toEqual(mp3)

    const created = await call('POST', {
      headers: { 'upload-defer-length': '1', 'upload-metadata': about('unknown.mp3') },
    })
    const at = created.headers.get('location') ?? ''
    await send(at, 0, mp3.subarray(0, 1000))
    await send(at, 1000, mp3.subarray(1000), { headers: { 'upload-length': String(mp3.length) } })
    expect(await bytesOf('unknown.mp3')).toEqual(mp3)
  })

  it('are refused at the beginning by all rules of an upload', async () => {
    expect((await begin('no.mp3', 10, { who: 'visitor' })).status).toBe(403)
    expect((await begin('no.mp3', 10, { who: 'member' })).status).toBe(403)
    expect((await begin('no.mp3', 50 * MB + 1)).status).toBe(413)
    expect((await begin('../no.mp3', 10)).status).toBe(400)
    expect((await begin('no.txt', 10, { about: { contentType: 'text/plain' } })).status).toBe(415)
    expect((await begin('no.mp3', 10, { about: { bucketName: 'nowhere' } })).status).toBe(404)
    expect((await begin('no.mp3', 10, { about: { metadata: 'not json' } })).status).toBe(400)
    expect(
      (await begin('no.mp3', 10, { headers: { 'tus-resumable': '9.9' } })).status,
    ).toBeGreaterThanOrEqual(400)
    expect((await call('POST', { headers: { 'upload-length': '10' } })).status).toBe(400)
    expect(
      (await call('POST', { headers: { 'upload-length': '-1', 'upload-metadata': about('x') } })).status,
    ).toBe(400)
    await begun('taken.mp3', mp3.length).then((at) => send(at, 0, mp3))
    const again = await begin('taken.mp3')
    expect([again.status, JSON.parse(await again.text())]).toMatchObject([409, { error: 'Duplicate' }])
    expect((await begin('taken.mp3', 10, { headers: { 'x-upsert': 'true' } })).status).toBe(201)
  })

  it('are refused at the end when the content is not what it was called, and leave nothing', async () => {
    const before = await storage.storedKeys()
    const at = await begun('picture.mp3', png.length)
    const response = await send(at, 0, png)
    expect([response.status, JSON.parse(await response.text())]).toMatchObject([
      415,
      { error: 'invalid_mime_type' },
    ])
    expect(await offsetOf(at)).toBe(404)
    expect(await storage.storedKeys()).toEqual(before)
  })

  it('belong to who began them', async () => {
    const at = await begun('mine.mp3')
    for (const who of ['visitor', 'member', 'service'] as const) {
      expect(await offsetOf(at, who)).toBe(404)
      expect((await send(at, 0, mp3, { who })).status).toBe(404)
      expect((await call('DELETE', { at, who })).status).toBe(404)
    }
    expect(await offsetOf(at)).toBe(0)
  })

  it('can be given up', async () => {
    const before = await storage.storedKeys()
    const at = await begun('given-up.mp3')
    await send(at, 0, recording.subarray(0, MB))
    expect((await call('DELETE', { at })).status).toBe(204)
    expect(await offsetOf(at)).toBe(404)
    expect(await storage.storedKeys()).toEqual(before)
  })

  it('take no piece twice, none out of order, and none beyond the end', async () => {
    const at = await begun('order.mp3', 2000)
    expect((await send(at, 5, mp3.subarray(0, 100))).status).toBe(409)
    expect((await send(at, 0, mp3.subarray(0, 1000))).status).toBe(204)
    expect((await send(at, 0, mp3.subarray(0, 1000))).status).toBe(409)
    expect((await send(at, 1000, mp3.subarray(0, 1500))).status).toBe(413)
    expect(await offsetOf(at)).toBe(1000)
    const unknown = await call('POST', {
      headers: { 'upload-defer-length': '1', 'upload-metadata': about('endless.mp3') },
    })
    const endless = unknown.headers.get('location') ?? ''
    await send(endless, 0, Buffer.alloc(48 * MB))
    expect((await send(endless, 48 * MB, Buffer.alloc(3 * MB))).status).toBe(413)
  })

  it('are forgotten after a day', async () => {
    const at = await begun('old.mp3')
    await send(at, 0, recording.subarray(0, MB))
    const before = await storage.storedKeys()
    await storage.db.asOwner('a day passes', (tx) =>
      tx.query(
        "update storage.resumable_uploads set created_at = now() - interval '25 hours' where name = 'old.mp3'",
      ),
    )
    expect(await offsetOf(at)).toBe(410)
    await begun('next.mp3')
    expect(await storage.storedKeys()).toHaveLength(before.length - 1)
  })

  it.each(['x', '00000000-0000-4000-8000-000000000000', '%00', '..%2f'])(
    'answers 404 for the unknown upload %s',
    async (id) => {
      for (const method of ['HEAD', 'PATCH', 'DELETE']) {
        const headers: Record<string, string> =
          method === 'PATCH'
            ? { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
            : {}
        expect((await call(method, { at: `${base}/${id}`, headers })).status).toBe(404)
      }
    },
  )
})
