import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/databases.ts'
import { openRest, type RestUnderTest } from '#tests/support/rest.ts'

describe('reading', () => {
  let rest: RestUnderTest
  beforeAll(async () => {
    rest = await openRest(openTestDatabase, { maxRows: 3 })
  })
  afterAll(() => rest.close())
  const things = () => rest.as('visitor').from('things')
  const ids = (...numbers: number[]) => numbers.map((id) => ({ id }))

  describe('select', () => {
    test('every kind of column comes as JSON', async () => {
      const { data } = await things().select().eq('id', 1).single()
      expect(data).toEqual({
        id: 1,
        code: '00000000-0000-4000-8000-000000000001',
        name: 'one apple',
        amount: 1.5,
        big: Number('9007199254740993'),
        active: true,
        day: '2026-01-01',
        moment: '2026-01-01T10:00:00+00:00',
        data: { a: { b: 'x' }, n: 1, list: [10, 20] },
        raw: { k: 1 },
        tags: ['red', 'green'],
        span: '[1,5)',
        label: 'short',
        mood: 'calm',
        brief: 'a',
        words: "'appl':2 'one':1",
      })
    })

    test('aliases, casts, JSON paths and computed columns', async () => {
      const { data } = await things()
        .select('nr:id, amount::text, big::text, b:data->a->>b, list:data->list->0, data->a, shout')
        .eq('id', 1)
      expect(data).toEqual([
        {
          nr: 1,
          amount: '1.50',
          big: '9007199254740993',
          b: 'x',
          list: 10,
          a: { b: 'x' },
          shout: 'ONE APPLE',
        },
      ])
    })

    test('columns of a view, and names that need quotes', async () => {
      const { data } = await rest.as('visitor').from('active_things').select('id,"the name":name')
      expect(data).toEqual([{ id: 1, 'the name': 'one apple' }])
      const notes = await rest.as('visitor').from('notes').select('"Odd name"')
      expect(notes.error).toBeNull()
    })

    test('another schema, and its name in the answer', async () => {
      const { data } = await rest.as('visitor').schema('other').from('planets').select()
      expect(data).toEqual([{ id: 1, name: 'Saturn' }])
      const response = await rest.send('/planets', { headers: { 'accept-profile': 'other' } })
      expect(response.headers.get('content-profile')).toBe('other')
    })
  })

  describe('order', () => {
    test.each([
      [{ ascending: true }, [1, 2, 3, 4]],
      [{ ascending: false }, [4, 3, 2, 1]],
      [{ ascending: true, nullsFirst: true }, [4, 1, 2, 3]],
      [{ ascending: false, nullsFirst: false }, [3, 2, 1, 4]],
    ])('%j', async (options, expected) => {
      const { data } = await things().select('id').order('amount', options).order('id').limit(2)
      expect(data).toEqual(ids(...expected.slice(0, 2)))
    })

    test('by a JSON path, and by two columns', async () => {
      const byPath = await things()
        .select('id')
        .order('data->n', { ascending: false, nullsFirst: false })
        .limit(2)
      expect(byPath.data).toEqual(ids(2, 1))
      const byTwo = await things().select('id').order('code').order('id', { ascending: false }).limit(2)
      expect(byTwo.data).toEqual(ids(4, 3))
    })
  })

  describe('single', () => {
    test('one row is an object', async () => {
      expect((await things().select('id').eq('id', 1).single()).data).toEqual({ id: 1 })
      expect((await things().select('id').eq('id', 1).maybeSingle()).data).toEqual({ id: 1 })
    })

    test.each([
      [0, 99],
      [2, 1],
    ])('%i rows are not one', async (rows, id) => {
      const query = rows === 0 ? things().select('id').eq('id', id) : things().select('id').lt('id', 3)
      const { error, status } = await query.single()
      expect(status).toBe(406)
      expect(error).toMatchObject({
        code: 'PGRST116',
        message: 'Cannot coerce the result to a single JSON object',
        details: `The result contains ${rows} rows`,
        hint: null,
      })
    })

    test('maybe none is no error', async () => {
      const { data, error } = await things().select('id').eq('id', 99).maybeSingle()
      expect([data, error]).toEqual([null, null])
    })
  })

  describe('forms', () => {
    test('CSV is quoted where it must be', async () => {
      await rest.sql(`insert into public.keyless values (1, e'a "b", c\\nd\\\\e'), (2, ''), (3, null)`)
      const { data } = await rest.as('visitor').from('keyless').select('a,the:b').csv()
      expect(data).toBe('a,the\n1,"a ""b"", c\nd\\e"\n2,""\n3,')
      const response = await rest.send('/keyless?a=eq.99', { headers: { accept: 'text/csv' } })
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(await response.text()).toBe('a,b\n')
    })

    test('nulls can be left out', async () => {
      const query = () => things().select('id,name,tags').eq('id', 4)
      expect((await query().stripNulls()).data).toEqual([{ id: 4 }])
      expect((await query().single().stripNulls()).data).toEqual({ id: 4 })
    })

    test.each([
      ['application/vnd.pgrst.object+json', 'application/vnd.pgrst.object+json; charset=utf-8'],
      [
        'application/vnd.pgrst.array+json;nulls=stripped',
        'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
      ],
      ['image/png, */*;q=0.1', 'application/json; charset=utf-8'],
    ])('%s', async (accept, type) => {
      const response = await rest.send('/things?id=eq.1', { headers: { accept } })
      expect(response.headers.get('content-type')).toBe(type)
    })

    test.each(['application/geo+json', 'text/html', 'application/vnd.pgrst.plan+json'])(
      '%s is not there',
      async (accept) => {
        const response = await rest.send('/things', { headers: { accept } })
        expect(response.status).toBe(406)
        expect(await response.json()).toMatchObject({
          code: 'PGRST107',
          message: `None of these media types are available: ${accept}`,
        })
      },
    )
  })

  test('times come in the zone that was asked for', async () => {
    const response = await rest.send('/things?select=moment&id=eq.1', {
      headers: { prefer: 'timezone=Asia/Tokyo' },
    })
    expect(await response.json()).toEqual([{ moment: '2026-01-01T19:00:00+09:00' }])
    expect(response.headers.get('preference-applied')).toBe('timezone=Asia/Tokyo')
    expect(await (await rest.send('/things?select=moment&id=eq.1')).json()).toEqual([
      { moment: '2026-01-01T10:00:00+00:00' },
    ])
  })

  test('aggregates and embeds are refused', async () => {
    expect((await things().select('id.sum()')).error).toMatchObject({ code: 'PGRST123' })
    const { error, status } = await things().select('id,children(id)')
    expect(status).toBe(400)
    expect(error).toMatchObject({
      code: 'PGRST127',
      message: 'Feature not implemented',
      details: "Embedding of 'children' is not supported: children(…) in select",
    })
  })
})

describe('what can be switched on', () => {
  let rest: RestUnderTest
  beforeAll(async () => {
    rest = await openRest(openTestDatabase, { aggregates: true, plans: true })
  })
  afterAll(() => rest.close())
  const things = () => rest.as('visitor').from('things')

  test('aggregates go by the other columns', async () => {
    const { data } = await things()
      .select('code,count(),top:amount.max(),sum:amount::int.sum()::text')
      .order('code')
    expect(data).toEqual([{ code: '00000000-0000-4000-8000-000000000001', count: 4, top: 3, sum: '7' }])
    expect((await things().select('count()')).data).toEqual([{ count: 4 }])
    expect(
      (await things().select('data->a->>b,id.min()').not('data->a', 'is', null).order('data->a->>b')).error,
    ).toMatchObject({
      code: '42803',
    })
  })

  test('a plan comes as JSON or as text', async () => {
    const json = await things().select('id').eq('id', 1).explain({ format: 'json', verbose: true })
    expect(json.data).toMatchObject([{ Plan: { 'Node Type': 'Aggregate' } }])
    const text = await things().select('id').explain({ analyze: true })
    expect(text.data).toMatch(/^Aggregate .*actual time/)
    const response = await rest.send('/things', { headers: { accept: 'application/vnd.pgrst.plan+json' } })
    expect(response.headers.get('content-type')).toBe(
      'application/vnd.pgrst.plan+json; for="application/json"; charset=utf-8',
    )
  })
})
