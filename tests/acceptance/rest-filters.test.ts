import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/databases.ts'
import { openRest, type RestUnderTest } from '#tests/support/rest.ts'

const things = (rest: RestUnderTest) => rest.as('visitor').from('things').select('id').order('id')
type Things = ReturnType<typeof things>
type Case = readonly [name: string, filter: (query: Things) => PromiseLike<unknown>, ids: number[]]

const cases: readonly Case[] = [
  ['eq', (q) => q.eq('name', 'one apple'), [1]],
  ['eq of a uuid', (q) => q.eq('code', '00000000-0000-4000-8000-000000000001'), [1, 2, 3, 4]],
  ['eq beyond what JavaScript counts', (q) => q.eq('big', '9007199254740993'), [1]],
  ['eq of an enum', (q) => q.eq('mood', 'stormy'), [2]],
  ['eq of a domain', (q) => q.eq('brief', 'a'), [1]],
  ['eq of a computed column', (q) => q.eq('shout', 'TWO PEARS'), [2]],
  ['neq', (q) => q.neq('id', 1), [2, 3, 4]],
  ['gt', (q) => q.gt('amount', 2.25), [3]],
  ['gte', (q) => q.gte('amount', 2.25), [2, 3]],
  ['lt of a date', (q) => q.lt('day', '2026-02-02'), [1]],
  ['lte of a time', (q) => q.lte('moment', '2026-02-02T11:00:00+01:00'), [1, 2]],
  ['like', (q) => q.like('name', '%pears'), [2]],
  ['like with stars', (q) => q.filter('name', 'like', '*p*e*'), [1, 2]],
  ['like and upper case', (q) => q.like('name', '%PEARS'), []],
  ['ilike', (q) => q.ilike('name', '%PEARS'), [2]],
  ['like all of', (q) => q.likeAllOf('name', ['%e%', 't%']), [2, 3]],
  ['like any of', (q) => q.likeAnyOf('name', ['one%', 'two%']), [1, 2]],
  ['ilike all of', (q) => q.ilikeAllOf('name', ['%E%', 'T%']), [2, 3]],
  ['ilike any of', (q) => q.ilikeAnyOf('name', ['ONE%', 'TWO%']), [1, 2]],
  ['match', (q) => q.regexMatch('name', '^t.o'), [2]],
  ['imatch', (q) => q.regexIMatch('name', '^T.O'), [2]],
  ['is null', (q) => q.is('active', null), [3, 4]],
  ['is true', (q) => q.is('active', true), [1]],
  ['is false', (q) => q.is('active', false), [2]],
  ['is not_null', (q) => q.filter('active', 'is', 'not_null'), [1, 2]],
  ['is unknown', (q) => q.filter('active', 'is', 'UNKNOWN'), [3, 4]],
  ['is distinct', (q) => q.isDistinct('active', true), [2, 3, 4]],
  ['in', (q) => q.in('id', [1, 3, 99]), [1, 3]],
  [
    'in with commas and quotes',
    (q) => q.filter('name', 'in', '("three \\"big\\", plums","one apple")'),
    [1, 3],
  ],
  ['in nothing', (q) => q.in('id', []), []],
  ['not in', (q) => q.notIn('id', [1, 2]), [3, 4]],
  ['contains, array', (q) => q.contains('tags', ['green']), [1, 2]],
  ['contains, range', (q) => q.contains('span', '[2,3)'), [1]],
  ['contains, JSON', (q) => q.contains('data', { a: { b: 'y' } }), [2]],
  ['contained by, array', (q) => q.containedBy('tags', ['green', 'blue']), [2, 3]],
  ['contained by, range', (q) => q.containedBy('span', '[0,10)'), [1, 2]],
  ['range >', (q) => q.rangeGt('span', '[0,5)'), [2, 3]],
  ['range >=', (q) => q.rangeGte('span', '[5,6)'), [2, 3]],
  ['range <', (q) => q.rangeLt('span', '[10,20)'), [1, 2]],
  ['range <=', (q) => q.rangeLte('span', '[0,10)'), [1, 2]],
  ['range adjacent', (q) => q.rangeAdjacent('span', '[5,10)'), [1, 3]],
  ['overlaps, array', (q) => q.overlaps('tags', ['red', 'blue']), [1]],
  ['overlaps, range', (q) => q.overlaps('span', '[4,6)'), [1, 2]],
  [
    'text search in a vector',
    (q) => q.textSearch('words', "'apple' | 'pear'", { config: 'english' }),
    [1, 2],
  ],
  ['text search, plain', (q) => q.textSearch('words', 'big plum', { type: 'plain', config: 'english' }), [3]],
  [
    'text search, phrase',
    (q) => q.textSearch('name', 'two pears', { type: 'phrase', config: 'simple' }),
    [2],
  ],
  [
    'text search, as on the web',
    (q) => q.textSearch('name', 'apple or pears', { type: 'websearch' }),
    [1, 2],
  ],
  ['text search in JSON', (q) => q.textSearch('data', 'y'), [2]],
  ['match of several columns', (q) => q.match({ active: true, id: 1 }), [1]],
  ['not', (q) => q.not('name', 'like', 'one%'), [2, 3]],
  ['not in with not()', (q) => q.not('id', 'in', '(1,2)'), [3, 4]],
  ['a JSON path as text', (q) => q.eq('data->a->>b', 'x'), [1]],
  ['a JSON path as JSON', (q) => q.gt('data->n', 1), [2]],
  ['a JSON index', (q) => q.eq('data->list->1', 20), [1]],
  ['a negative JSON index', (q) => q.eq('data->-1', 2), [4]],
  ['a path into an array', (q) => q.eq('tags->>0', 'red'), [1]],
  ['a path into json', (q) => q.eq('raw->>k', '1'), [1]],
  ['a quantifier', (q) => q.filter('id', 'gt(all)', '{1,3}'), [4]],
  ['or', (q) => q.or('id.eq.1,name.like.two*'), [1, 2]],
  ['or of a tree', (q) => q.or('id.eq.4,and(id.gt.1,not.or(active.is.false,id.eq.4))'), [3, 4]],
  ['or with quotes', (q) => q.or('name.eq."three \\"big\\", plums",tags.cs.{red}'), [1, 3]],
  ['or of JSON paths', (q) => q.or('data->>n.eq.1,data->0.eq.1'), [1, 4]],
  ['two filters', (q) => q.gt('id', 1).lt('id', 4), [2, 3]],
]

describe('filters', () => {
  let rest: RestUnderTest
  beforeAll(async () => {
    rest = await openRest(openTestDatabase)
  })
  afterAll(() => rest.close())

  test.each(cases)('%s', async (_case, filter, ids) => {
    const { data, error } = (await filter(things(rest))) as Awaited<Things>
    expect(error).toBeNull()
    expect(data).toEqual(ids.map((id) => ({ id })))
  })

  test.each([
    ['not.and=(id.gt.1,id.lt.4)', [1, 4]],
    ['not.or=(id.eq.1,id.eq.2)', [3, 4]],
    ['and=(id.gt.1,or(id.eq.2,id.eq.4))', [2, 4]],
    ['id=eq.1&id=eq.2', []],
    ['name=eq.', []],
    ['tags=eq.{}', [3]],
  ])('?%s', async (query, ids) => {
    const response = await rest.send(`/things?select=id&order=id&${query}`)
    expect(await response.json()).toEqual(ids.map((id) => ({ id })))
  })
})
