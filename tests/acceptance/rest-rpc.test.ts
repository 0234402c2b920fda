import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/databases.ts'
import { openRest, type RestUnderTest } from '#tests/support/rest.ts'

describe('functions', () => {
  let rest: RestUnderTest
  beforeAll(async () => {
    rest = await openRest(openTestDatabase)
  })
  beforeEach(() => rest.sql('truncate public.notes restart identity'))
  afterAll(() => rest.close())
  const rpc = (...call: Parameters<ReturnType<RestUnderTest['as']>['rpc']>) => rest.as('visitor').rpc(...call)
  const notes = async () => (await rest.as('visitor').from('notes').select('body')).data

  describe('by POST', () => {
    test.each([
      ['add', { a: 1, b: 2 }, 3],
      ['add', { a: 1 }, 11],
      ['greet', {}, 'hello'],
      ['greet', { name: 'you' }, 'hello you'],
      ['total', { numbers: [1, 2, 3] }, 6],
      ['join_up', { parts: ['a', 'b,c'] }, 'a+b,c'],
      ['nothing', {}, null],
      ['take_json', { any: ['thing'] }, { any: ['thing'] }],
      ['halves', { num: 7 }, { half: 3, rest: 1 }],
      ['first_thing', {}, expect.objectContaining({ id: 1, name: 'one apple' })],
      [
        'table_of',
        { count: 2 },
        [
          { n: 1, square: 1 },
          { n: 2, square: 4 },
        ],
      ],
      ['names', {}, ['one apple', 'two pears', 'three "big", plums']],
    ])('%s(%j) gives %j', async (name, args, expected) => {
      expect(await rpc(name, args)).toMatchObject({ status: 200, error: null, data: expected })
    })

    test('a function without a result answers 204', async () => {
      expect(await rpc('note_it', { text: 'x' })).toMatchObject({ status: 204, data: null })
      expect(await notes()).toEqual([{ body: 'x' }])
    })

    test('a whole body for the only, unnamed argument', async () => {
      const send = (name: string, type: string, body: BodyInit, accept = '*/*') =>
        rest.send(`/rpc/${name}`, { method: 'POST', body, headers: { 'content-type': type, accept } })
      expect(await (await send('take_text', 'text/plain', 'ä "b"')).json()).toBe('got ä "b"')
      expect(await (await send('take_json', 'application/json', '[1,"x"]')).json()).toEqual([1, 'x'])
      const bytes = Uint8Array.of(0, 1, 254, 255)
      const answer = await send('take_bytes', 'application/octet-stream', bytes, 'application/octet-stream')
      expect(answer.headers.get('content-type')).toBe('application/octet-stream')
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes)
    })

    test('no body, or a form, will do', async () => {
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      expect(await (await rest.send('/rpc/greet', { method: 'POST' })).json()).toBe('hello')
      expect(
        await (await rest.send('/rpc/add', { method: 'POST', body: 'a=1&b=5', headers: form })).json(),
      ).toBe(6)
    })

    test('one plain value can be plain text', async () => {
      const response = await rest.send('/rpc/greet', { method: 'POST', headers: { accept: 'text/plain' } })
      expect([response.headers.get('content-type'), await response.text()]).toEqual([
        'text/plain; charset=utf-8',
        'hello',
      ])
    })
  })

  describe('by GET', () => {
    test.each([
      ['add', { a: 1, b: 2 }, 3],
      ['greet', { name: 'a+b&c' }, 'hello a+b&c'],
      ['join_up', { parts: ['a', 'b'] }, 'a+b'],
      ['total', { numbers: 4 }, 4],
      ['table_of', { count: 1 }, [{ n: 1, square: 1 }]],
    ])('%s(%j) gives %j', async (name, args, expected) => {
      expect(await rpc(name, args, { get: true })).toMatchObject({ status: 200, error: null, data: expected })
    })

    test('a variadic argument is repeated', async () =>
      expect(await (await rest.send('/rpc/total?numbers=1&numbers=2')).json()).toBe(3))

    test('nothing can be written', async () => {
      expect(await rpc('sneaky_write', {}, { get: true })).toMatchObject({
        status: 405,
        error: { code: '25006' },
      })
      expect(await rpc('sneaky_write')).toMatchObject({ status: 200, data: 1 })
    })

    test('HEAD answers without a body', async () => {
      const { data, count, status } = await rpc('cheap_things', {}, { head: true, count: 'exact' })
      expect([data, count, status]).toEqual([null, 3, 200])
    })
  })

  describe('rows of a function are like rows of a table', () => {
    test('filters, columns, order and paging', async () => {
      const { data } = await rpc('cheap_things', { below: 3 })
        .select('nr:id')
        .gt('id', 0)
        .order('id', { ascending: false })
      expect(data).toEqual([{ nr: 2 }, { nr: 1 }])
      const page = await rpc('cheap_things', {}, { count: 'exact' }).select('id').range(1, 1)
      expect([page.data, page.count, page.status]).toEqual([[{ id: 2 }], 3, 206])
      const filtered = await rpc('table_of', { count: 5 }, { get: true }).gt('square', 10)
      expect(filtered.data).toEqual([
        { n: 4, square: 16 },
        { n: 5, square: 25 },
      ])
    })

    test('one row, CSV, values in pages, planned counts', async () => {
      expect((await rpc('cheap_things').select('id').eq('id', 2).single()).data).toEqual({ id: 2 })
      expect((await rpc('table_of', { count: 2 }).csv()).data).toBe('n,square\n1,1\n2,4')
      expect(await rpc('names', {}, { count: 'exact' }).range(0, 1)).toMatchObject({ status: 206, count: 3 })
      expect((await rpc('cheap_things', {}, { count: 'planned' })).count).toEqual(expect.any(Number))
    })

    test('too many changed rows are given back', async () => {
      for (const text of ['x', 'y']) await rpc('note_it', { text })
      expect((await rpc('clear_notes').maxAffected(1)).error).toMatchObject({ code: 'PGRST124' })
      expect(await notes()).toHaveLength(2)
      expect((await rpc('clear_notes').maxAffected(2).select('body')).data).toEqual([
        { body: 'x' },
        { body: 'y' },
      ])
      expect((await rpc('note_it', { text: 'x' }).maxAffected(1)).error).toMatchObject({ code: 'PGRST128' })
    })

    test('columns that are not there are refused', async () => {
      expect((await rpc('cheap_things').select('nope')).error).toMatchObject({ code: '42703' })
      expect((await rpc('add', { a: 1 }).eq('x', 1)).error).toMatchObject({ code: '42703' })
    })
  })

  describe('what does not fit', () => {
    test.each([
      ['greet', { nam: 'x' }, 404, 'PGRST202'],
      ['add', {}, 404, 'PGRST202'],
      ['touch_updated_at', {}, 404, 'PGRST202'],
      ['same', { arg: 1 }, 300, 'PGRST203'],
      ['add', { a: 'x' }, 400, '22P02'],
    ])('%s(%j) is %i', async (name, args, status, code) =>
      expect(await rpc(name, args)).toMatchObject({ status, error: { code } }),
    )

    test('neither are other methods', async () => {
      const response = await rest.send('/rpc/add?a=1', { method: 'DELETE' })
      expect([response.status, await response.json()]).toMatchObject([
        405,
        { code: 'PGRST101', message: 'Cannot use the DELETE method on RPC' },
      ])
    })
  })

  describe('a function that speaks for itself', () => {
    test('sets status and headers', async () => {
      const response = await rest.send('/rpc/teapot', { method: 'POST' })
      expect([response.status, response.headers.get('x-tea'), response.headers.get('content-type')]).toEqual([
        418,
        'green',
        'text/tea',
      ])
      expect(await response.text()).toBe('"short and stout"')
    })

    test.each([
      ['bad_status', 'PGRST112'],
      ['bad_headers', 'PGRST111'],
    ])('%s is our fault', async (name, code) =>
      expect(await rpc(name)).toMatchObject({ status: 500, error: { code } }),
    )

    test.each([
      ['P0001', 400],
      ['PT402', 402],
      ['23505', 409],
      ['28000', 403],
      ['42501', 401],
      ['57014', 500],
    ])('raises %s, which is %i', async (state, status) => {
      expect(await rpc('fail_with', { state })).toMatchObject({
        status,
        error: { code: state, message: `said ${state}`, details: 'the detail', hint: 'the hint' },
      })
    })

    test('raises a whole answer', async () => {
      const response = await rest.send('/rpc/fail_fully', { method: 'POST' })
      expect([response.status, response.headers.get('x-powered-by')]).toEqual([332, 'a function'])
      expect(await response.json()).toEqual({ code: '123', message: 'ABC', details: 'DEF', hint: 'XYZ' })
      expect((await rpc('fail_badly')).error).toMatchObject({ code: 'PGRST121' })
    })
  })

  test('can ask about the request, but not for its secrets', async () => {
    const headers = { 'x-custom': 'ä', cookie: 'a=1; b=x=y', 'user-agent': 'test' }
    const ask = async (setting: string) =>
      (
        await rest.send(`/rpc/request_of?setting=${setting}`, { headers: { ...headers, 'x-custom': 'v' } })
      ).json()
    expect(await ask('method')).toBe('GET')
    expect(await ask('path')).toBe('/rpc/request_of')
    expect(JSON.parse(await ask('cookies'))).toEqual({ a: '1', b: 'x=y' })
    const seen = JSON.parse(await ask('headers'))
    expect(seen).toMatchObject({ 'x-custom': 'v', 'user-agent': 'test' })
    expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['apikey']))
    expect(JSON.stringify(seen)).not.toContain('sb_publishable')
    expect(JSON.parse(await ask('jwt.claims'))).toEqual({ role: 'anon' })
  })
})
