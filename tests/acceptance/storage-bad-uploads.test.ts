import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { jpeg, mp3, mp3WithCover, mp4, pdf, png, svg, wav } from '#tests/support/samples.ts'
import { storages, type TestStorage } from '#tests/support/storage.ts'

const MB = 1024 * 1024
const text = Buffer.from('just words')
const padded = (head: Uint8Array, size: number) => Buffer.concat([head], size)

describe.each(storages)('uploads on %s', (_name, open) => {
  let storage: TestStorage
  let before: string[]
  beforeAll(async () => {
    storage = await open()
    await storage.as('service').createBucket('any', { public: false })
  })
  afterAll(() => storage.close())
  beforeEach(async () => {
    before = await storage.storedKeys()
  })
  let accepted = 0
  afterEach(async () => {
    // Whatever was tried: as many files more as were accepted, and nothing half-written.
    expect(await storage.storedKeys()).toHaveLength(before.length + accepted)
    accepted = 0
  })

  const upload = async (
    bucket: string,
    name: string,
    body: Uint8Array,
    contentType: string,
    form = false,
  ) => {
    const file = form ? new Blob([body as BlobPart], { type: contentType }) : body
    const result = await storage.as('service').from(bucket).upload(name, file, { contentType })
    if (!result.error) accepted++
    return result.error
  }

  it.each([
    ['images', 'image/png', png, 5 * MB],
    ['audio', 'audio/mpeg', mp3, 50 * MB],
  ])('to %s may have the limit of the bucket and not a byte more', async (bucket, type, head, limit) => {
    for (const form of [false, true]) {
      expect(await upload(bucket, `full-${form}`, padded(head, limit), type, form)).toBeNull()
      expect(await upload(bucket, `over-${form}`, padded(head, limit + 1), type, form)).toMatchObject({
        status: 413,
        statusCode: '413',
        code: 'EntityTooLarge',
        message: 'The object exceeded the maximum allowed size',
      })
    }
  })

  it.each([
    ['images', 'photo.jpg', 'image/jpeg', jpeg],
    ['images', 'photo.jpg', 'image/jpg', jpeg],
    ['images', 'a-jpeg-called.png', 'image/png', jpeg],
    ['images', 'drawing.svg', 'image/svg+xml', svg],
    ['audio', 'talk.mp3', 'audio/mp3', mp3],
    ['audio', 'talk-with-cover.mp3', 'audio/mpeg', mp3WithCover],
    ['audio', 'talk.m4a', 'audio/x-m4a', mp4],
    ['audio', 'talk.mp4', 'video/mp4', mp4],
    ['audio', 'talk.wav', 'audio/wav', wav],
    ['any', 'words.txt', 'text/plain;charset=UTF-8', text],
    ['any', 'empty.txt', 'text/plain', Buffer.alloc(0)],
    ['any', 'paper.pdf', 'application/pdf', pdf],
    ['any', 'a picture called text', 'text/plain', png],
  ])('to %s: %s as %s is taken', async (bucket, name, type, body) => {
    expect(await upload(bucket, `${accepted}-${type}-${name}`, body, type)).toBeNull()
  })

  it.each([
    ['images', 'words.png', 'image/png', text, 'The content is not of the type image/png'],
    ['images', 'words.txt', 'text/plain', text, 'mime type text/plain is not supported'],
    [
      'images',
      'page.html',
      'text/html',
      Buffer.from('<script>alert(1)</script>'),
      'mime type text/html is not supported',
    ],
    [
      'images',
      'page.png',
      'image/png',
      Buffer.from('<html><svg onload=alert(1)>'),
      'The content is not of the type image/png',
    ],
    ['images', 'drawing.png', 'image/png', svg, 'The content is not of the type image/png'],
    ['images', 'photo.svg', 'image/svg+xml', png, 'The content is not of the type image/svg+xml'],
    ['images', 'sound.png', 'image/png', mp3, 'The content is not of the type image/png'],
    ['images', 'empty.png', 'image/png', Buffer.alloc(0), 'A file of the type image/png cannot be empty'],
    ['audio', 'empty.mp3', 'audio/mpeg', Buffer.alloc(0), 'A file of the type audio/mpeg cannot be empty'],
    ['audio', 'words.mp3', 'audio/mpeg', text, 'The content is not of the type audio/mpeg'],
    ['audio', 'photo.mp3', 'audio/mpeg', png, 'The content is not of the type audio/mpeg'],
    ['any', 'words.pdf', 'application/pdf', text, 'The content is not of the type application/pdf'],
    ['images', 'no-type', 'nonsense', png, 'mime type nonsense is not supported'],
    ['images', 'control', 'image/png; a=\tb', png, 'is not supported'],
  ])('to %s: %s as %s is refused', async (bucket, name, type, body, message) => {
    for (const form of [false, true]) {
      // A browser puts no such type into a form.
      if (form && !/^[\w/+]+\/[\w+]+$/.test(type)) continue
      const error = await upload(bucket, name, body, type, form)
      expect(error).toMatchObject({ status: 415, message: expect.stringContaining(message) })
    }
  })

  it.each([
    ['..%2f..%2fetc%2fpasswd'],
    ['a%2f..%2fb'],
    ['a%2f.%2fb'],
    ['a//b'],
    ['folder/'],
    ['%2fabsolute'],
    ['back%5cslash'],
    ['nul%00'],
    ['line%0abreak'],
    ['bell%07'],
    ['delete%7f'],
    ['x'.repeat(256)],
    [`${'ü'.repeat(128)}.png`],
    [Array(20).fill('x'.repeat(60)).join('/')],
  ])('under the name %s are refused', async (name) => {
    for (const method of ['POST', 'PUT']) {
      const response = await storage.request(`/object/images/${name}`, {
        method,
        body: png,
        headers: { 'content-type': 'image/png' },
      })
      expect([response.status, (await response.json()).code]).toEqual([400, 'InvalidKey'])
    }
    const body = JSON.stringify({
      bucketId: 'images',
      sourceKey: 'a.png',
      destinationKey: decodeURIComponent(name),
    })
    for (const path of ['/object/move', '/object/copy']) {
      expect((await storage.request(path, { method: 'POST', body })).status).toBe(400)
    }
  })

  it('may have names of 255 bytes a segment and 1024 bytes in all', async () => {
    expect(await upload('images', 'x'.repeat(255), png, 'image/png')).toBeNull()
    const long = [...Array(4).fill('y'.repeat(200)), 'z'.repeat(220)].join('/')
    expect(Buffer.byteLength(long)).toBe(1024)
    expect(await upload('images', long, png, 'image/png')).toBeNull()
    expect(await upload('images', `${long}z`, png, 'image/png')).toMatchObject({ status: 400 })
  })

  const boundary = { 'content-type': 'multipart/form-data; boundary=x' }
  const part = (head: string, body: string) => `--x\r\n${head}\r\n\r\n${body}\r\n`
  const disposition = 'content-disposition: form-data; name=""; filename="a.png"\r\ncontent-type: image/png'
  it.each([
    ['a form without boundary', { 'content-type': 'multipart/form-data' }, 'x'],
    ['a form that is none', boundary, 'hello'],
    ['an empty form', boundary, ''],
    [
      'a form without a file',
      boundary,
      `${part('content-disposition: form-data; name="cacheControl"', '1')}--x--\r\n`,
    ],
    ['a form that breaks off in the file', boundary, part(disposition, png.toString('latin1')).slice(0, -20)],
    ['a form that breaks off in a header', boundary, '--x\r\ncontent-dispo'],
    [
      'a form with a hostile age',
      boundary,
      `${part('content-disposition: form-data; name="cacheControl"', '1\r\nset-cookie: a=b')}${part(disposition, 'x')}--x--\r\n`,
    ],
    [
      'a form with metadata that is no object',
      boundary,
      `${part('content-disposition: form-data; name="metadata"', '[1]')}${part(disposition, 'x')}--x--\r\n`,
    ],
    ['metadata that is not base64 of JSON', { 'content-type': 'image/png', 'x-metadata': '%%%' }, 'x'],
    ['metadata with a NUL', { 'content-type': 'image/png', 'x-metadata': btoa('{"a":"\\u0000"}') }, 'x'],
    [
      'metadata with half a character',
      { 'content-type': 'image/png', 'x-metadata': btoa('{"a":"\\ud800"}') },
      png,
    ],
    ['a hostile content-encoding', { 'content-type': 'image/png', 'content-encoding': '<b>' }, 'x'],
    [
      'an announced length that does not arrive',
      { 'content-type': 'image/png', 'content-length': '5000' },
      png,
    ],
  ])('%s is refused with a message', async (_kind, headers, body) => {
    const response = await storage.request('/object/images/bad.png', { method: 'POST', body, headers })
    expect([response.status, (await response.json()).message]).toEqual([400, expect.stringMatching(/\w+/)])
  })

  it('that break off leave neither a row nor bytes', async () => {
    for (const after of [10, 3 * MB]) {
      let sent = 0
      const body = new ReadableStream({
        pull(controller) {
          if (sent >= after) controller.error(new Error('the line went dead'))
          else controller.enqueue(sent === 0 ? png : new Uint8Array(64 * 1024))
          sent += 64 * 1024
        },
      })
      const { error } = await storage
        .as('admin')
        .from('images')
        .upload('cut.png', body, { contentType: 'image/png' })
      expect(error).toMatchObject({ status: 400, message: 'The upload ended before all of it had arrived' })
      expect((await storage.as('admin').from('images').exists('cut.png')).data).toBe(false)
    }
  })

  it.each([
    ['POST', '/object/move', '{"bucketId": 1}'],
    ['POST', '/object/copy', ''],
    ['POST', '/object/list/images', '{"limit": "many"}'],
    ['POST', '/object/list/images', '{"prefix": "\\u0000"}'],
    ['POST', '/object/list/images', '{"sortBy": {"column": "version; drop table x"}}'],
    ['POST', '/object/list-v2/images', '{"limit": 0}'],
    ['POST', '/object/sign/images', '{"expiresIn": 10, "paths": []}'],
    ['DELETE', '/object/images', '{"prefixes": "all"}'],
    ['DELETE', '/object/images', 'null'],
    ['GET', '/bucket?limit=-1', undefined],
    ['GET', '/bucket?sortColumn=secret', undefined],
    ['POST', '/object/list/images', `{"prefix": "${'x'.repeat(5 * MB)}"}`],
  ])('%s %s with %s is a 4xx with a message', async (method, path, body) => {
    const response = await storage.request(path, { method, ...(body !== undefined && { body }) })
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
    expect(await response.json()).toMatchObject({
      statusCode: String(response.status),
      message: expect.stringMatching(/\w/),
    })
  })

  it('and reads with names that cannot be are a plain 4xx', async () => {
    for (const path of [
      '/object/images/%00',
      '/object/im%00ages/a',
      '/object/info/images/%00',
      '/bucket/%00',
      '/object/list/%00',
    ]) {
      const method = path.includes('list') ? 'POST' : 'GET'
      const response = await storage.request(path, { method, ...(method === 'POST' && { body: '{}' }) })
      expect([path, response.status >= 400 && response.status < 500]).toEqual([path, true])
    }
  })
})
