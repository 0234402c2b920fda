import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { png } from '#tests/support/samples.ts'
import { storages, type TestStorage, type Who } from '#tests/support/storage.ts'

const picture = { contentType: 'image/png' }
const everybody: Who[] = ['visitor', 'member', 'admin', 'service']

/** What comes of each call: a status of a refusal, or ok. */
const table: Array<[call: string, ...outcomes: Array<number | 'ok'>]> = [
  ['upload a picture', 403, 403, 'ok', 'ok'],
  ['upload over a picture', 403, 403, 'ok', 'ok'],
  ['update a picture', 404, 404, 'ok', 'ok'],
  ['read a picture', 'ok', 'ok', 'ok', 'ok'],
  ['describe a picture', 'ok', 'ok', 'ok', 'ok'],
  ['move a picture', 404, 404, 'ok', 'ok'],
  ['copy a picture', 404, 404, 'ok', 'ok'],
  ['move a picture into the vault', 404, 404, 403, 'ok'],
  ['copy a picture into the vault', 404, 404, 403, 'ok'],
  ['sign a picture', 404, 404, 'ok', 'ok'],
  ['sign an upload', 403, 403, 'ok', 'ok'],
  ['sign an upload into the vault', 403, 403, 403, 'ok'],
  ['upload into the vault', 403, 403, 403, 'ok'],
  ['read from the vault', 404, 404, 404, 'ok'],
  ['describe what is in the vault', 404, 404, 404, 'ok'],
  ['sign what is in the vault', 404, 404, 404, 'ok'],
]

describe.each(storages)('access on %s', (_name, open) => {
  let storage: TestStorage
  let count = 0
  beforeAll(async () => {
    storage = await open()
    await storage.as('service').from('vault').upload('secret.txt', 'secret')
  })
  afterAll(() => storage.close())

  const fresh = async () => {
    const name = `resource-images/${count++}.png`
    await storage.as('service').from('images').upload(name, png, picture)
    return name
  }
  const calls: Record<string, (who: Who) => Promise<{ error: unknown }>> = {
    'upload a picture': async (who) =>
      storage.as(who).from('images').upload(`new/${count++}.png`, png, picture),
    'upload over a picture': async (who) =>
      storage
        .as(who)
        .from('images')
        .upload(await fresh(), png, { ...picture, upsert: true }),
    'update a picture': async (who) =>
      storage
        .as(who)
        .from('images')
        .update(await fresh(), png, picture),
    'read a picture': async (who) =>
      storage
        .as(who)
        .from('images')
        .download(await fresh()),
    'describe a picture': async (who) =>
      storage
        .as(who)
        .from('images')
        .info(await fresh()),
    'move a picture': async (who) =>
      storage
        .as(who)
        .from('images')
        .move(await fresh(), `moved/${count++}.png`),
    'copy a picture': async (who) =>
      storage
        .as(who)
        .from('images')
        .copy(await fresh(), `copied/${count++}.png`),
    'move a picture into the vault': async (who) =>
      storage
        .as(who)
        .from('images')
        .move(await fresh(), `${count++}.png`, { destinationBucket: 'vault' }),
    'copy a picture into the vault': async (who) =>
      storage
        .as(who)
        .from('images')
        .copy(await fresh(), `${count++}.png`, { destinationBucket: 'vault' }),
    'sign a picture': async (who) =>
      storage
        .as(who)
        .from('images')
        .createSignedUrl(await fresh(), 60),
    'sign an upload': async (who) => storage.as(who).from('images').createSignedUploadUrl(`s/${count++}.png`),
    'sign an upload into the vault': async (who) =>
      storage.as(who).from('vault').createSignedUploadUrl('s.png'),
    'upload into the vault': async (who) =>
      storage.as(who).from('vault').upload(`${count++}.png`, png, picture),
    'read from the vault': async (who) => storage.as(who).from('vault').download('secret.txt'),
    'describe what is in the vault': async (who) => storage.as(who).from('vault').info('secret.txt'),
    'sign what is in the vault': async (who) =>
      storage.as(who).from('vault').createSignedUrl('secret.txt', 60),
  }

  it.each(table)('%s: visitor %s, member %s, admin %s, service %s', async (call, ...expected) => {
    const outcomes: Array<number | 'ok'> = []
    for (const who of everybody) {
      const { error } = (await calls[call]?.(who)) ?? { error: undefined }
      outcomes.push(error === null ? 'ok' : (error as { status: number }).status)
    }
    expect(outcomes).toEqual(expected)
  })

  it('removes nothing for whom policies do not let', async () => {
    const name = await fresh()
    for (const who of ['visitor', 'member'] as const) {
      expect((await storage.as(who).from('images').remove([name])).data).toEqual([])
    }
    expect((await storage.as('visitor').from('images').exists(name)).data).toBe(true)
    expect((await storage.as('admin').from('images').remove([name])).data).toHaveLength(1)
    expect((await storage.as('admin').from('vault').remove(['secret.txt'])).data).toEqual([])
    expect((await storage.as('service').from('vault').exists('secret.txt')).data).toBe(true)
  })

  it('keeps no bytes of a refused upload', async () => {
    const before = await storage.storedKeys()
    await storage.as('visitor').from('images').upload('refused.png', png, picture)
    await storage.as('admin').from('vault').upload('refused.png', png, picture)
    expect(await storage.storedKeys()).toEqual(before)
  })

  it('reads the vault by no public address', async () => {
    const { publicUrl } = storage.as('visitor').from('vault').getPublicUrl('secret.txt').data
    expect((await storage.fetch(new Request(publicUrl))).status).toBe(404)
    const info = await storage.request('/object/info/public/vault/secret.txt', { who: 'nobody' })
    expect(info.status).toBe(404)
  })

  it.each([
    ['no key', {}, 400, "headers must have required property 'authorization'"],
    ['a wrong key', { apikey: 'sb_secret_guess' }, 401, 'Invalid API key'],
    [
      'a token that is none',
      { apikey: 'sb_publishable_for_tests', authorization: 'Bearer nonsense' },
      403,
      'Invalid Compact JWS',
    ],
    [
      'an old token',
      { apikey: 'sb_publishable_for_tests', authorization: 'Bearer token-too-old' },
      403,
      '"exp" claim timestamp check failed',
    ],
  ])('refuses a request with %s', async (_kind, headers, status, message) => {
    for (const path of ['/bucket', '/object/images/a.png', '/object/authenticated/images/a.png']) {
      const response = await storage.request(path, { who: 'nobody', headers })
      expect([response.status, await response.json()]).toMatchObject([
        status,
        { statusCode: String(status), message },
      ])
    }
  })

  it('lets pages of other origins in, and tells them what they may read', async () => {
    const preflight = await storage.request('/object/images/a.png', {
      who: 'nobody',
      method: 'OPTIONS',
      headers: {
        origin: 'https://elsewhere.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'apikey,authorization,x-upsert,x-metadata,tus-resumable',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-metadata')
    const answer = await storage.request('/bucket', { headers: { origin: 'https://elsewhere.test' } })
    expect(answer.headers.get('access-control-expose-headers')).toContain('ETag')
  })
})
