import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/databases.ts'
import { openRest, type RestUnderTest } from '#tests/support/rest.ts'

describe('changing and deleting', () => {
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

  const json = { 'content-type': 'application/json' }
  const send = (method: string, path: string, body: unknown, prefer = '') =>
    rest.send(path, { method, body: JSON.stringify(body), headers: { ...json, prefer } })

  describe('update', () => {
    test('changes what fits, and says no more', async () => {
      const { data, status } = await notes().update({ body: 'new' }).lt('rank', 3)
      expect([data, status]).toEqual([null, 204])
      expect(await bodies()).toEqual([
        { id: 1, body: 'new' },
        { id: 2, body: 'new' },
        { id: 3, body: 'third' },
      ])
    })

    test('gives back the rows in order, and counts them', async () => {
      const { data, count, status } = await notes()
        .update({ body: 'new' }, { count: 'exact' })
        .or('id.eq.1,id.eq.3')
        .select('id,body')
        .order('rank', { ascending: false })
      expect([data, count, status]).toEqual([
        [
          { id: 3, body: 'new' },
          { id: 1, body: 'new' },
        ],
        2,
        200,
      ])
    })

    test('of nothing is nothing', async () => {
      expect(await notes().update({}).gt('id', 0).select()).toMatchObject({ data: [], status: 200 })
      expect(await notes().update({ body: 'x' }).gt('id', 99)).toMatchObject({ status: 204, error: null })
    })

    test('that should be of one row is undone if it is not', async () => {
      const { error, status } = await notes().update({ body: 'new' }).gt('id', 0).select().single()
      expect([status, error?.code]).toEqual([406, 'PGRST116'])
      expect((await notes().update({ body: 'new' }).gt('id', 99).select().maybeSingle()).data).toBeNull()
      expect(await bodies()).toContainEqual({ id: 1, body: 'first' })
    })

    test('of too many rows is undone', async () => {
      const { error, status } = await notes().update({ body: 'new' }).gt('id', 0).maxAffected(2)
      expect([status, error]).toMatchObject([400, { code: 'PGRST124', details: 'The query affects 3 rows' }])
      expect(await bodies()).toContainEqual({ id: 1, body: 'first' })
      expect((await notes().update({ body: 'new' }).gt('id', 1).maxAffected(2)).status).toBe(204)
    })

    test('sets defaults for columns that are named but not given', async () => {
      await rest.send('/notes?id=eq.2&columns=rank,body', {
        method: 'PATCH',
        body: '{"body":"x"}',
        headers: { ...json, prefer: 'missing=default' },
      })
      expect((await notes().select('body,rank').eq('id', 2)).data).toEqual([{ body: 'x', rank: 7 }])
    })
  })

  describe('delete', () => {
    test('removes what fits', async () => {
      expect(await notes().delete({ count: 'exact' }).in('id', [1, 2])).toMatchObject({
        status: 204,
        count: 2,
        data: null,
      })
      expect(await bodies()).toEqual([{ id: 3, body: 'third' }])
    })

    test('gives back what it removed', async () =>
      expect(await notes().delete().eq('id', 2).select('body')).toMatchObject({
        status: 200,
        data: [{ body: 'second' }],
      }))

    test('of too many, or not of one, is undone', async () => {
      expect((await notes().delete().gt('id', 0).maxAffected(1)).error?.code).toBe('PGRST124')
      expect((await notes().delete().gt('id', 0).select().single()).error?.code).toBe('PGRST116')
      expect(await bodies()).toHaveLength(3)
    })
  })

  test.each([
    ['POST', '/notes', 'return=representation,count=exact,foo', 'return=representation, count=exact', '*/1'],
    ['POST', '/notes', 'missing=default', 'missing=default', '*/*'],
    ['PATCH', '/notes?id=lt.3', 'return=minimal,count=exact', 'return=minimal, count=exact', '0-1/2'],
    ['PATCH', '/notes?id=lt.3', '', null, '0-1/*'],
    ['PATCH', '/notes?id=gt.9', 'count=exact', 'count=exact', '*/0'],
    ['DELETE', '/notes?id=lt.3', 'handling=strict,max-affected=5', 'handling=strict, max-affected=5', '*/*'],
    ['DELETE', '/notes?id=lt.3', 'count=exact', 'count=exact', '*/2'],
  ])('%s %s with %j', async (method, path, prefer, applied, range) => {
    const response = await send(method, path, { body: 'x' }, prefer)
    expect(response.headers.get('preference-applied')).toBe(applied)
    expect(response.headers.get('content-range')).toBe(range)
  })
})
