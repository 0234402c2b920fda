import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mp3, png } from '#tests/support/samples.ts'
import { ids, storages, type TestStorage } from '#tests/support/storage.ts'

const unusual = 'resource-images/Ünï cödé 🌱 100%.webp'
const md5 = (bytes: Uint8Array) => `"${createHash('md5').update(bytes).digest('hex')}"`

describe.each(storages)('objects on %s', (_name, open) => {
  let storage: TestStorage
  beforeAll(async () => {
    storage = await open()
  })
  afterAll(() => storage.close())
  const images = () => storage.as('admin').from('images')
  const bytesOf = async (blob: Blob | null) => Buffer.from(await (blob ?? new Blob()).arrayBuffer())

  it.each([
    ['a Blob in a form', () => new Blob([png], { type: 'image/png' })],
    ['a File in a form', () => new File([png], 'p.png', { type: 'image/png' })],
    ['bytes', () => png],
    ['a stream', () => new Blob([png]).stream() as ReadableStream<Uint8Array>],
  ])('are uploaded as %s and come back the same', async (kind, body) => {
    const path = `folder/${kind}.png`
    const { data, error } = await images().upload(path, body(), {
      contentType: 'image/png',
      cacheControl: '600',
      metadata: { caption: 'Grüße 🌱' },
    })
    expect(error).toBeNull()
    expect(data).toEqual({ path, fullPath: `images/${path}`, id: expect.stringMatching(/^[\da-f-]{36}$/) })
    const download = await images().download(path)
    expect(download.data?.type).toBe('image/png')
    expect(await bytesOf(download.data)).toEqual(png)
    expect((await images().info(path)).data).toEqual({
      id: data?.id,
      name: path,
      version: expect.any(String),
      bucketId: 'images',
      size: png.length,
      contentType: 'image/png',
      contentEncoding: null,
      cacheControl: 'max-age=600',
      etag: md5(png),
      metadata: { caption: 'Grüße 🌱' },
      lastModified: expect.stringMatching(/^\d{4}-.*Z$/),
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    const { rows } = await storage.db.asOwner('test', (tx) =>
      tx.query('select owner_id, owner from storage.objects where name = $1', [path]),
    )
    expect(rows).toEqual([{ owner_id: ids.admin, owner: ids.admin }])
  })

  it('keep any Unicode name as it was sent', async () => {
    expect((await images().upload(unusual, png, { contentType: 'image/png' })).error).toBeNull()
    const { publicUrl } = images().getPublicUrl(unusual).data
    const response = await storage.fetch(new Request(publicUrl))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await images().remove([unusual])).data).toMatchObject([{ name: unusual }])
  })

  it('are not overwritten unless that is asked for, and an old version leaves no bytes', async () => {
    await images().upload('twice.png', png, { contentType: 'image/png' })
    const before = await storage.storedKeys()
    const again = await images().upload('twice.png', png, { contentType: 'image/png' })
    expect(again.error).toMatchObject({
      status: 409,
      statusCode: '409',
      message: 'The resource already exists',
    })
    expect(await storage.storedKeys()).toEqual(before)

    const first = (await images().info('twice.png')).data
    const other = Buffer.concat([png, Buffer.from('more')])
    const upsert = await images().upload('twice.png', other, { contentType: 'image/png', upsert: true })
    expect(upsert.data?.id).toBe(first?.id)
    expect(await bytesOf((await images().download('twice.png')).data)).toEqual(other)
    const updated = await images().update('twice.png', new Blob([png], { type: 'image/png' }))
    expect(updated.data).toMatchObject({ path: 'twice.png', id: first?.id })
    expect(await bytesOf((await images().download('twice.png')).data)).toEqual(png)
    expect((await storage.storedKeys()).length).toBe(before.length)
  })

  it('survive uploads that race for one name: one wins, and no bytes are forgotten', async () => {
    const before = await storage.storedKeys()
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        images().upload('race.png', Buffer.concat([png, Buffer.from([i])]), {
          contentType: 'image/png',
          upsert: true,
        }),
      ),
    )
    expect(answers.map(({ error }) => error)).toEqual(Array(6).fill(null))
    expect((await storage.storedKeys()).length).toBe(before.length + 1)
    expect((await images().download('race.png')).error).toBeNull()
  })

  it('cannot be replaced when there are none', async () => {
    const { error } = await images().update('nobody.png', png, { contentType: 'image/png' })
    expect(error).toMatchObject({ status: 404, message: 'Object not found' })
  })

  it('exist or not', async () => {
    await images().upload('there.png', png, { contentType: 'image/png' })
    expect((await images().exists('there.png')).data).toBe(true)
    expect(await images().exists('not-there.png')).toMatchObject({
      data: false,
      error: { code: 'NoSuchKey' },
    })
    const head = (path: string) => storage.request(`/object/images/${path}`, { method: 'HEAD' })
    expect([(await head('there.png')).status, (await head('not-there.png')).status]).toEqual([200, 404])
  })

  it('move to another name and another bucket, and overwrite nothing there', async () => {
    const service = storage.as('service')
    await images().upload('move/a.png', png, { contentType: 'image/png' })
    await images().upload('move/taken.png', png, { contentType: 'image/png' })
    expect((await images().move('move/a.png', 'move/taken.png')).error).toMatchObject({ status: 409 })
    expect((await images().move('move/a.png', 'moved/b.png')).data).toEqual({ message: 'Successfully moved' })
    expect((await images().exists('move/a.png')).data).toBe(false)
    const away = await service.from('images').move('moved/b.png', 'c.png', { destinationBucket: 'vault' })
    expect(away.error).toBeNull()
    expect(await bytesOf((await service.from('vault').download('c.png')).data)).toEqual(png)
    const back = await service.from('vault').move('c.png', 'd.mp3', { destinationBucket: 'audio' })
    expect(back.error).toMatchObject({ status: 415, message: 'mime type image/png is not supported' })
    expect((await images().move('nowhere.png', 'x.png')).error).toMatchObject({ status: 404 })
  })

  it('are copied with their bytes and description, or with another', async () => {
    await images().upload('copy/a.png', png, { contentType: 'image/png', metadata: { by: 'hand' } })
    expect((await images().copy('copy/a.png', 'copy/b.png')).data).toEqual({ path: 'images/copy/b.png' })
    expect((await images().info('copy/b.png')).data).toMatchObject({
      metadata: { by: 'hand' },
      size: png.length,
    })
    await images().copy('copy/a.png', 'copy/c.png', {
      copyMetadata: false,
      metadata: { cacheControl: 'no-store' },
    })
    expect((await images().info('copy/c.png')).data).toMatchObject({ metadata: {}, cacheControl: 'no-store' })
    expect((await images().copy('copy/a.png', 'copy/b.png')).error).toMatchObject({ status: 409 })
    expect((await images().copy('copy/none.png', 'copy/d.png')).error).toMatchObject({ status: 404 })
    await images().remove(['copy/a.png'])
    expect(await bytesOf((await images().download('copy/b.png')).data)).toEqual(png)
    const { error } = await images().copy('copy/b.png', 'copy/e.png', { destinationBucket: 'audio' })
    expect(error).toMatchObject({ status: 415 })
  })

  it('are removed with their bytes, one or many, and what is not there is left out', async () => {
    const before = await storage.storedKeys()
    const audio = storage.as('admin').from('audio')
    for (const name of ['1.mp3', '2.mp3', '3.mp3'])
      await audio.upload(name, mp3, { contentType: 'audio/mpeg' })
    const { data } = await audio.remove(['1.mp3', '2.mp3', 'none.mp3', '../x', 'a\u0000b'])
    expect(data?.map(({ name }) => name).sort()).toEqual(['1.mp3', '2.mp3'])
    const one = await storage.request('/object/audio/3.mp3', { method: 'DELETE' })
    expect([one.status, await one.json()]).toEqual([200, { message: 'Successfully deleted' }])
    const gone = await storage.request('/object/audio/3.mp3', { method: 'DELETE' })
    expect(gone.status).toBe(404)
    expect(await storage.storedKeys()).toEqual(before)
  })

  it('tell about missing buckets', async () => {
    const nowhere = storage.as('admin').from('nowhere')
    expect((await nowhere.upload('a.txt', 'x')).error).toMatchObject({
      status: 404,
      message: 'Bucket not found',
    })
    expect((await nowhere.list()).data).toEqual([])
    expect((await nowhere.download('a.txt')).error).toMatchObject({ status: 404 })
  })
})
