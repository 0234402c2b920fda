import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/databases.ts'
import { openRest, type RestUnderTest } from '#tests/support/rest.ts'

describe('writing', () => {
  let rest: RestUnderTest
  beforeAll(async () => {
    rest = await openRest(openTestDatabase)
  })
  beforeEach(() =>
    rest.sql(`truncate public.notes restart identity; truncate public.pairs, public.keyless, public.mailbox, public.uniques;
      insert into public.notes (body, rank) values ('first', 1), ('second', 2), ('third', 3)`),
  )
  afterAll(() => rest.close())
  const table = (name: string) => rest.as('visitor').from(name)
  const notes = () => table('notes')
  const bodies = async () => (await notes().select('id,body').order('id')).data

  describe('insert', () => {
    test('of one says no more than that it happened', async () => {
      const { data, status, statusText } = await notes().insert({ body: 'fourth' })
      expect([data, status, statusText]).toEqual([null, 201, ''])
      expect(await bodies()).toContainEqual({ id: 4, body: 'fourth' })
    })

    test('gives back what was asked for', async () => {
      const { data, status } = await notes().insert({ body: 'x' }).select('nr:id,body,rank').single()
      expect([data, status]).toEqual([{ nr: 4, body: 'x', rank: 7 }, 201])
    })

    test('of several sets what some do not mention to null', async () => {
      const { error } = await notes().insert([{ body: 'x' }, { body: 'y', rank: 9 }])
      expect(error).toMatchObject({ code: '23502' })
      expect(await bodies()).toHaveLength(3)
    })

    test('of several can use the defaults', async () => {
      const rows = [{ body: 'x' }, { body: 'y', rank: 9, id: 50 }]
      const { data } = await notes()
        .insert(rows, { defaultToNull: false })
        .select('id,body,rank')
        .order('rank')
      expect(data).toEqual([
        { id: expect.any(Number), body: 'x', rank: 7 },
        { id: 50, body: 'y', rank: 9 },
      ])
    })

    test('converts every kind of value', async () => {
      const row = {
        id: 100,
        name: 'käse 🧀',
        amount: '12.30',
        big: '9007199254740995',
        active: false,
        day: '2026-05-05',
        moment: '2026-05-05T05:05:05+02:00',
        data: { deep: [1, { x: null }] },
        tags: ['a,b', '"c"'],
        span: '[1,3]',
        mood: 'calm',
        label: null,
      }
      const { data } = await rest.as('service').from('things').insert(row).select('*,text:big::text').single()
      await rest.sql('delete from public.things where id = 100')
      expect(data).toMatchObject({
        ...row,
        amount: 12.3,
        big: expect.any(Number),
        text: '9007199254740995',
        moment: '2026-05-05T03:05:05+00:00',
        span: '[1,4)',
        brief: 'short',
      })
    })

    test('of nothing is fine, of empty objects takes the defaults', async () => {
      expect(await notes().insert([]).select()).toMatchObject({ data: [], status: 201 })
      expect((await table('keyless').insert({}).select()).data).toEqual([{ a: null, b: null }])
      const response = await rest.send('/keyless', { method: 'POST', body: '[{},{}]', headers: json })
      expect(response.status).toBe(201)
      expect((await table('keyless').select()).data).toHaveLength(3)
    })

    test('tells where the new row is when asked for headers only', async () => {
      const response = await send('POST', '/pairs', { a: 1, b: 'x&y' }, 'return=headers-only')
      expect([response.status, response.headers.get('location'), await response.text()]).toEqual([
        201,
        '/pairs?a=eq.1&b=eq.x%26y',
        '',
      ])
      expect(response.headers.get('preference-applied')).toBe('return=headers-only')
      const several = await send(
        'POST',
        '/pairs',
        [
          { a: 2, b: 'x' },
          { a: 3, b: 'y' },
        ],
        'return=headers-only',
      )
      expect(several.headers.get('location')).toBeNull()
    })

    test('needs the right to read only for what it gives back', async () => {
      expect((await table('mailbox').insert({ id: 1, message: 'x' })).status).toBe(201)
      expect(await table('mailbox').insert({ id: 2, message: 'x' }).select()).toMatchObject({
        status: 401,
        error: { code: '42501', message: 'permission denied for table mailbox' },
      })
    })

    test.each([
      ['notes', { nope: 1 }, 400, 'PGRST204'],
      ['notes', { body: 'forbidden' }, 400, '23514'],
      ['notes', { id: 1, body: 'x' }, 409, '23505'],
      ['notes', { id: 'x', body: 'x' }, 400, '22P02'],
      ['children', { id: 1, thing_id: 99 }, 409, '23503'],
      ['sealed', { id: 1 }, 400, '428C9'],
      ['things', { id: 9, words: 'x' }, 400, '428C9'],
      ['things', { id: 9, label: 'longer than twelve' }, 400, '22001'],
      ['things', { id: 9, amount: 1e20 }, 400, '22003'],
      ['things', { id: 9, name: 'a\u0000b' }, 400, '22P05'],
    ])('into %s of %j is %i', async (name, row: Record<string, unknown>, status, code) => {
      expect(await table(name).insert(row)).toMatchObject({ status, error: { code } })
    })

    test('counts', async () => {
      const { count } = await notes().insert(
        [
          { body: 'x', rank: 1 },
          { body: 'y', rank: 1 },
        ],
        { count: 'exact' },
      )
      expect(count).toBe(2)
    })
  })

  const json = { 'content-type': 'application/json' }
  const send = (method: string, path: string, body: unknown, prefer = '') =>
    rest.send(path, { method, body: JSON.stringify(body), headers: { ...json, prefer } })

  describe('upsert', () => {
    test('inserts what is new and changes what is there', async () => {
      const { data, status } = await notes()
        .upsert([
          { id: 1, body: 'changed', rank: 5 },
          { id: 9, body: 'new', rank: 5 },
        ])
        .select('id,body')
      expect([data, status]).toEqual([
        [
          { id: 1, body: 'changed' },
          { id: 9, body: 'new' },
        ],
        201,
      ])
      expect(await bodies()).toHaveLength(4)
    })

    test('answers 200 if nothing was new', async () =>
      expect(await notes().upsert({ id: 1, body: 'changed' })).toMatchObject({ status: 200, error: null }))

    test('by another unique column, or by a key of two', async () => {
      await table('uniques').insert({ id: 1, slug: 'a', note: 'old' })
      const { data } = await table('uniques')
        .upsert({ id: 1, slug: 'a', note: 'new' }, { onConflict: 'slug' })
        .select()
      expect(data).toEqual([{ id: 1, slug: 'a', note: 'new' }])
      await table('pairs').insert({ a: 1, b: 'x', note: 'old' })
      await table('pairs').upsert([
        { a: 1, b: 'x', note: 'new' },
        { a: 1, b: 'y', note: 'new' },
      ])
      expect((await table('pairs').select('note')).data).toEqual([{ note: 'new' }, { note: 'new' }])
    })

    test('can leave alone what is there', async () => {
      const rows = [
        { id: 1, body: 'ignored', rank: 1 },
        { id: 9, body: 'new', rank: 1 },
      ]
      const { data, status } = await notes().upsert(rows, { ignoreDuplicates: true }).select('id,body')
      expect([data, status]).toEqual([[{ id: 9, body: 'new' }], 201])
      expect(await bodies()).toContainEqual({ id: 1, body: 'first' })
    })

    test('needs a key to go by', async () => {
      expect((await table('keyless').upsert({ a: 1 })).status).toBe(201)
      expect(await table('keyless').upsert({ a: 1 }, { onConflict: 'a' })).toMatchObject({
        status: 400,
        error: { code: '42P10' },
      })
    })
  })

  describe('PUT', () => {
    test('inserts or replaces the one row that the address names', async () => {
      const made = await send(
        'PUT',
        '/pairs?a=eq.1&b=eq.x',
        { a: 1, b: 'x', note: 'n' },
        'return=representation',
      )
      expect([made.status, await made.json()]).toEqual([201, [{ a: 1, b: 'x', note: 'n' }]])
      const changed = await send(
        'PUT',
        '/pairs?a=eq.1&b=eq.x',
        { a: 1, b: 'x', note: 'm' },
        'return=representation',
      )
      expect([changed.status, await changed.json()]).toEqual([200, [{ a: 1, b: 'x', note: 'm' }]])
      expect((await send('PUT', '/pairs?a=eq.1&b=eq.x', { a: 1, b: 'x' })).status).toBe(204)
    })

    test.each([
      ['/pairs?a=eq.2&b=eq.x', { a: 1, b: 'x' }, 400, 'PGRST115'],
      ['/pairs?a=eq.1', { a: 1, b: 'x' }, 405, 'PGRST105'],
      ['/pairs?a=eq.1&b=eq.x&limit=1', { a: 1, b: 'x' }, 400, 'PGRST114'],
      [
        '/pairs?a=eq.1&b=eq.x',
        [
          { a: 1, b: 'x' },
          { a: 2, b: 'x' },
        ],
        201,
        undefined,
      ],
    ])('%s with %j', async (path, body, status, code) => {
      const response = await send('PUT', path, body, 'return=representation')
      expect(response.status).toBe(status)
      if (code) expect(await response.json()).toMatchObject({ code })
    })
  })
})
