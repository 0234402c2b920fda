import { describe, expect, test } from 'vitest'
import { parseQuery } from './query.ts'

const read = (query: string, withArguments = false) =>
  parseQuery(new URLSearchParams(query), { withArguments })
const eq = (name: string, value: string) => ({
  kind: 'test',
  field: { name, path: [] },
  negated: false,
  predicate: { kind: 'compare', operator: 'eq', value },
})

describe('parseQuery', () => {
  test('an empty query asks for everything', () =>
    expect(read('')).toEqual({
      select: [{ kind: 'everything' }],
      where: [],
      order: [],
      limits: [],
      offsets: [],
      args: [],
    }))

  test('filters of one column add up', () =>
    expect(read('a=eq.1&a=eq.2').where).toEqual([
      { path: [], value: eq('a', '1') },
      { path: [], value: eq('a', '2') },
    ]))

  test('a filter may be of an embed, of a quoted name, of a JSON path', () => {
    expect(read('rel.sub.a=eq.1').where).toEqual([{ path: ['rel', 'sub'], value: eq('a', '1') }])
    expect(read('"a.b"=eq.1').where).toEqual([{ path: [], value: eq('a.b', '1') }])
    expect(read('d->>k=eq.1').where[0]?.value).toMatchObject({
      field: { name: 'd', path: [{ gives: 'text', at: 'k' }] },
    })
  })

  test.each([
    ['or=(a.eq.1)', { kind: 'or', negated: false }, []],
    ['and=(a.eq.1)', { kind: 'and', negated: false }, []],
    ['not.or=(a.eq.1)', { kind: 'or', negated: true }, []],
    ['rel.not.and=(a.eq.1)', { kind: 'and', negated: true }, ['rel']],
  ])('%s is a tree', (query, head, path) =>
    expect(read(query).where).toMatchObject([{ path, value: { ...head, conditions: [eq('a', '1')] } }]),
  )

  test('order, limit and offset may be of embeds', () =>
    expect(read('order=a&rel.order=b&limit=1&rel.limit=2&offset=3&limit=abc')).toMatchObject({
      order: [{ path: [] }, { path: ['rel'] }],
      limits: [
        { path: [], value: 1 },
        { path: ['rel'], value: 2 },
      ],
      offsets: [{ path: [], value: 3 }],
    }))

  test('columns and on_conflict are names, each once', () =>
    expect(read('columns="a","b",a&on_conflict=a,b')).toMatchObject({
      columns: ['a', 'b'],
      onConflict: ['a', 'b'],
    }))

  test('the API key in the address is no filter', () => expect(read('apikey=sb_x').where).toEqual([]))

  test('for a function what is no filter is an argument', () =>
    expect(read('a=1&b=eq.2&a=3&c=', true)).toMatchObject({
      args: [
        ['a', '1'],
        ['a', '3'],
        ['c', ''],
      ],
      where: [{ value: eq('b', '2') }],
    }))

  test.each([
    ['a=1', 'failed to parse filter (1)'],
    ['a=', 'failed to parse filter ()'],
    ['a(b=eq.1', 'failed to parse tree path (a(b)'],
    ['=eq.1', 'failed to parse tree path ()'],
    ['.a=eq.1', 'failed to parse tree path (.a)'],
    ['order=', 'failed to parse order ()'],
    ['columns=', 'failed to parse columns parameter ()'],
    ['on_conflict=a,', 'failed to parse on_conflict parameter (a,)'],
    ['or=', 'failed to parse logic tree ()'],
  ])('%s is refused', (query, message) => expect(() => read(query)).toThrow(message))
})
