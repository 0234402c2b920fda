import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { png } from '#tests/support/samples.ts'
import { storages, type TestStorage } from '#tests/support/storage.ts'

describe.each(storages)('signed addresses on %s', (_name, open) => {
  let storage: TestStorage
  const vault = () => storage.as('service').from('vault')
  beforeAll(async () => {
    storage = await open()
    await vault().upload('folder/Über 100%.txt', 'a secret')
    await vault().upload('other.txt', 'another secret')
  })
  afterAll(() => storage.close())
  afterEach(() => {
    vi.useRealTimers()
  })
  const sign = async (path: string, seconds = 60, options = {}) =>
    (await vault().createSignedUrl(path, seconds, options)).data?.signedUrl ?? ''
  const read = (url: string, init?: RequestInit) => storage.fetch(new Request(url, init))
  const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? ''

  it('read one object without a key, whole or in part', async () => {
    const url = await sign('folder/Über 100%.txt')
    expect(await (await read(url)).text()).toBe('a secret')
    expect(await (await read(url, { headers: { range: 'bytes=2-3' } })).text()).toBe('se')
    expect((await read(url, { method: 'HEAD' })).headers.get('content-length')).toBe('8')
  })

  it('can ask for a download under a name', async () => {
    const disposition = async (download: string | boolean) =>
      (await read(await sign('other.txt', 60, { download }))).headers.get('content-disposition')
    expect(await disposition(true)).toBe('attachment')
    expect(await disposition('plain.txt')).toBe("attachment; filename*=UTF-8''plain.txt")
  })

  it('are made for many objects at once, or say why not', async () => {
    const { data } = await vault().createSignedUrls(['other.txt', 'none.txt', '../x'], 60)
    expect(data).toMatchObject([
      { path: 'other.txt', error: null },
      { path: 'none.txt', signedURL: null, error: expect.stringContaining('does not exist') },
      { path: '../x', signedURL: null },
    ])
    expect(await (await read(data?.[0]?.signedUrl ?? '')).text()).toBe('another secret')
    expect((await vault().createSignedUrl('none.txt', 60)).error).toMatchObject({ status: 404 })
  })

  it('work for names with marks that end a path', async () => {
    const names = ['why?.txt', 'no #1.txt', 'a?b#c/100%.txt', 'why%3F.txt']
    for (const name of names) {
      const path = name.split('/').map(encodeURIComponent).join('/')
      const { status } = await storage.request(`/object/vault/${path}`, {
        method: 'POST',
        body: name,
        who: 'service',
      })
      expect(status).toBe(200)
      const signed = await storage.request(`/object/sign/vault/${path}`, {
        ...{ method: 'POST', who: 'service', body: '{"expiresIn":60}' },
        headers: { 'content-type': 'application/json' },
      })
      const { signedURL } = (await signed.json()) as { signedURL: string }
      expect(await (await read(`http://site.test/storage/v1${encodeURI(signedURL)}`)).text()).toBe(name)
    }
    const { data } = await vault().createSignedUrls(names, 60)
    const texts = await Promise.all(
      (data ?? []).map(async ({ signedUrl }) => (await read(signedUrl ?? '')).text()),
    )
    expect(texts).toEqual(names)
  })

  it('end', async () => {
    const url = await sign('other.txt', 60)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    const response = await read(url)
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'InvalidJWT', error: 'InvalidJWT' },
    ])
  })

  it('are good for nothing else', async () => {
    const url = await sign('other.txt')
    const upload = (await vault().createSignedUploadUrl('new.txt')).data
    const forged = await new SignJWT({ use: 'read', url: 'vault/other.txt' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode('sb_secret_for_tests'))
    const address = (token: string, path = 'other.txt') =>
      `http://site.test/storage/v1/object/sign/vault/${path}${token && `?token=${token}`}`
    for (const attempt of [
      address(''),
      address('nonsense'),
      address(forged),
      address(tokenOf(url).replace(/.$/, '')),
      address(tokenOf(url), 'folder/%C3%9Cber%20100%25.txt'),
      address(upload?.token ?? '', 'new.txt'),
    ]) {
      const response = await read(attempt)
      expect([attempt, response.status, (await response.json()).code]).toEqual([attempt, 400, 'InvalidJWT'])
    }
    const asUpload = await storage
      .as('visitor')
      .from('vault')
      .uploadToSignedUrl('other.txt', tokenOf(url), 'x')
    expect(asUpload.error).toMatchObject({ status: 400, code: 'InvalidJWT' })
  })

  it.each([[0], [-1], [1.5], ['60'], [null], [1e12]])(
    'are not made to last %j seconds',
    async (expiresIn) => {
      const body = JSON.stringify({ expiresIn })
      const response = await storage.request('/object/sign/vault/other.txt', {
        who: 'service',
        method: 'POST',
        body,
      })
      expect(response.status).toBe(400)
    },
  )

  it('upload once, as form or as bytes, on behalf of who signed', async () => {
    const images = storage.as('admin').from('images')
    for (const [path, body] of [
      ['up/form.png', new Blob([png], { type: 'image/png' })],
      ['up/bytes.png', png],
    ] as const) {
      const { data } = await images.createSignedUploadUrl(path)
      const visitor = storage.as('visitor').from('images')
      const upload = () =>
        visitor.uploadToSignedUrl(path, data?.token ?? '', body, { contentType: 'image/png', upsert: true })
      expect((await upload()).data).toEqual({ path, fullPath: `images/${path}` })
      // The token decides, whatever the holder asks.
      expect((await upload()).error).toMatchObject({ status: 409 })
    }
    const { data: renewable } = await images.createSignedUploadUrl('up/form.png', { upsert: true })
    const again = await storage
      .as('visitor')
      .from('images')
      .uploadToSignedUrl('up/form.png', renewable?.token ?? '', png, { contentType: 'image/png' })
    expect(again.error).toBeNull()
    const { rows } = await storage.db.asOwner('test', (tx) =>
      tx.query<{ owner_id: string }>("select distinct owner_id from storage.objects where name like 'up/%'"),
    )
    expect(rows).toEqual([{ owner_id: '00000000-0000-4000-8000-000000000003' }])
  })

  it('keep to the rules of the bucket', async () => {
    const { data } = await storage.as('admin').from('images').createSignedUploadUrl('text.png')
    const { error } = await storage
      .as('visitor')
      .from('images')
      .uploadToSignedUrl('text.png', data?.token ?? '', 'text', { contentType: 'image/png' })
    expect(error).toMatchObject({ status: 415 })
  })
})
