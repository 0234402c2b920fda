import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, DatabaseUnavailable } from '#server/database/port.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { openRest, type RestUnderTest } from '#tests/support/rest.ts'

describe('who may what', () => {
  let rest: RestUnderTest
  beforeAll(async () => {
    rest = await openRest(openTestDatabase)
  })
  afterAll(() => rest.close())

  describe('policies judge', () => {
    test('what each sees', async () => {
      const owned = async (who: Parameters<RestUnderTest['as']>[0]) =>
        rest.as(who).from('owned').select('secret').order('id')
      expect((await owned('alice')).data).toEqual([{ secret: 'hers' }])
      expect((await owned('service')).data).toEqual([{ secret: 'hers' }, { secret: 'his' }])
      expect(await owned('visitor')).toMatchObject({ status: 401, error: { code: '42501' } })
    })

    test('and what each may write', async () => {
      const his = { id: 3, owner: 'bbbbbbbb-0000-4000-8000-000000000002', secret: 'forged' }
      expect(await rest.as('alice').from('owned').insert(his)).toMatchObject({
        status: 403,
        error: { code: '42501' },
      })
      expect(
        (await rest.as('alice').from('owned').update({ secret: 'x' }).eq('id', 2).select()).data,
      ).toEqual([])
      expect(
        (await rest.as('alice').from('owned').delete({ count: 'exact' }).gt('id', 0).lt('id', 0)).count,
      ).toBe(0)
    })

    test('a table that nobody was given is refused', async () => {
      expect(await rest.as('alice').from('locked').select()).toMatchObject({
        status: 403,
        error: { code: '42501' },
      })
      const response = await rest.send('/locked')
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    })
  })

  describe('keys', () => {
    test('none is refused in the gateway’s words', async () => {
      const response = await rest.sendBare('/things')
      expect(response.status).toBe(401)
      expect(await response.json()).toEqual({
        message: 'No API key found in request',
        hint: 'No `apikey` request header or url param was found.',
      })
    })

    test('a wrong one too', async () => {
      const response = await rest.sendBare('/things', { headers: { apikey: 'sb_publishable_wrong' } })
      expect([response.status, await response.json()]).toEqual([
        401,
        { message: 'Invalid API key', hint: 'Double check your API key.' },
      ])
    })

    test('one in the address is as good, and no filter', async () => {
      const response = await rest.sendBare('/things?select=id&id=eq.1&apikey=sb_publishable_test')
      expect(await response.json()).toEqual([{ id: 1 }])
    })

    test.each([
      ['forged', 'PGRST301', 'JWT cryptographic operation failed'],
      ['token-that-expired', 'PGRST303', 'JWT expired'],
    ])('a token that is %s is no visitor', async (token, code, message) => {
      const response = await rest.send('/things', { headers: { authorization: `Bearer ${token}` } })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer error="invalid_token", error_description="${message}"`,
      )
      expect(await response.json()).toEqual({ code, message, details: null, hint: null })
    })
  })

  describe('other origins', () => {
    test('may ask what they may ask, without a key', async () => {
      const response = await rest.sendBare('/things', {
        method: 'OPTIONS',
        headers: {
          origin: 'https://elsewhere.example',
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': 'apikey,prefer,x-client-info,traceparent',
        },
      })
      expect(response.status).toBe(204)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-allow-methods')).toContain('PATCH')
      expect(response.headers.get('access-control-allow-headers')).toBe(
        'apikey,prefer,x-client-info,traceparent',
      )
    })

    test('may read the headers that the client needs, also of refusals', async () => {
      for (const path of ['/things', '/nope']) {
        const { headers } = await rest.send(path, { headers: { origin: 'https://elsewhere.example' } })
        expect(headers.get('access-control-allow-origin')).toBe('*')
        expect(headers.get('access-control-expose-headers')).toContain('Content-Range')
      }
    })
  })

  test.each([
    ['/', 404, 'PGRST126'],
    ['', 404, 'PGRST126'],
    ['/things/1', 404, 'PGRST125'],
    ['/rpc/add/x', 404, 'PGRST125'],
    ['/things/', 404, 'PGRST125'],
  ])('%j leads nowhere', async (path, status, code) => {
    const response = await rest.send(path)
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { code, details: null, hint: null },
    ])
  })

  test('the client hears the same of the root', async () =>
    expect(await rest.as('visitor').getOpenApiSpec()).toMatchObject({
      status: 404,
      error: { code: 'PGRST126' },
    }))

  test.each(['QUERY', 'TRACE2', 'FOO'])('%s is no method', async (method) => {
    const response = await rest.send('/things', { method })
    expect([response.status, await response.json()]).toMatchObject([405, { code: 'PGRST117' }])
  })
})

test('a database that is away is 503, and nothing else when it is back', async () => {
  let away = true
  const flaky = async (): Promise<Database> => {
    const db = await openTestDatabase()
    const unlessAway = <Call extends (...args: never[]) => Promise<unknown>>(call: Call) =>
      (async (...args: Parameters<Call>) => {
        if (away) throw new DatabaseUnavailable(new Error('gone'))
        return call(...args)
      }) as Call
    away = false
    return { ...db, asOwner: unlessAway(db.asOwner), asCaller: unlessAway(db.asCaller) }
  }
  const rest = await openRest(flaky)
  const ask = async () => {
    const response = await rest.send('/things?select=id&id=eq.1')
    return [response.status, await response.json()]
  }
  away = true
  expect(await ask()).toMatchObject([503, { code: 'PGRST002' }])
  away = false
  expect(await ask()).toEqual([200, [{ id: 1 }]])
  away = true
  expect(await ask()).toMatchObject([503, { code: 'PGRST000' }])
  away = false
  expect(await ask()).toEqual([200, [{ id: 1 }]])
  await rest.close()
})
