import { describe, expect, test } from 'vitest'
import { planOf, refused, things } from '#tests/support/rest-requests.ts'

const selectOf = (select: string) =>
  planOf({ path: `/things?select=${encodeURIComponent(select)}` }).rows.select

describe('the columns of an answer', () => {
  test.each([
    ['id', ['id']],
    ['nr:id,name', ['nr', 'name']],
    ['data->a->>b', ['b']],
    ['data->list->0', ['list']],
    ['data->0', ['data']],
    ['name::text', ['name']],
    ['shout', ['shout']],
    ['id.sum()', ['sum']],
    ['n:count()', ['n']],
  ])('%s is called %j', (select, names) =>
    expect(selectOf(select).map((output) => output.kind !== 'everything' && output.name)).toEqual(names),
  )

  test('beside an aggregate, * is every column', () =>
    expect(selectOf('*,count()').map((output) => output.kind)).toEqual([
      ...Array(things.columns.size).fill('field'),
      'aggregate',
    ]))

  test.each([
    ['nope', 400, '42703', { message: 'column things.nope does not exist' }],
    ['id::nope', 400, '42704', { message: 'type "nope" does not exist' }],
    ['constructor', 400, '42703', {}],
    ['id::constructor', 400, '42704', {}],
  ])('%s is refused', (select, status, code, body) =>
    expect(() => selectOf(select)).toThrow(refused(status, code, body)),
  )

  test('aggregates can be off', () =>
    expect(() => planOf({ path: '/things?select=count()', settings: { aggregates: false } })).toThrow(
      refused(400, 'PGRST123'),
    ))
})

describe('an embed is refused by name', () => {
  test.each([
    'select=id,comments(id)',
    'select=...comments(id)',
    'comments.id=eq.1',
    'comments.or=(id.eq.1,id.eq.2)',
    'comments.order=id',
    'comments.limit=1',
    'comments.offset=1',
    'order=comments(id)',
  ])('%s', (query) =>
    expect(() => planOf({ path: `/things?${query}` })).toThrow(
      refused(400, 'PGRST127', { details: expect.stringContaining("'comments'") }),
    ),
  )
})

describe('rows', () => {
  test('are capped', () => {
    expect(planOf({}).rows.window).toEqual({ limit: 1000, offset: 0 })
    expect(planOf({ path: '/things?limit=5000&offset=2' }).rows.window).toEqual({ limit: 1000, offset: 2 })
    expect(planOf({ path: '/things?limit=5' }).rows.window.limit).toBe(5)
  })

  test.each(['nope=eq.1', 'or=(id.eq.1,nope.eq.2)', 'order=nope', 'order=id,nope->a.desc'])(
    '%s is refused',
    (query) => expect(() => planOf({ path: `/things?${query}` })).toThrow(refused(400, '42703')),
  )

  test('of a table that is not there are refused, with the name of one like it', () => {
    expect(() => planOf({ path: '/thing' })).toThrow(
      refused(404, 'PGRST205', { hint: "Perhaps you meant the table 'public.things'" }),
    )
    expect(() => planOf({ path: '/zebra' })).toThrow(refused(404, 'PGRST205', { hint: null }))
    expect(() => planOf({ path: '/__proto__' })).toThrow(refused(404, 'PGRST205'))
  })
})

describe('the form of an answer', () => {
  const accept = (type: string, settings = {}) => planOf({ headers: { accept: type }, settings }).answer.media

  test('is the first that is there', () => {
    expect(accept('image/png, text/csv')).toEqual({ kind: 'csv' })
    expect(accept('text/plain, application/json')).toMatchObject({ kind: 'array' })
  })

  test.each([['image/png'], ['text/plain'], ['application/octet-stream'], ['application/geo+json'], ['']])(
    '%j is refused',
    (type) => expect(() => accept(type)).toThrow(refused(406, 'PGRST107')),
  )

  test('a plan is refused unless plans are on', () => {
    const type = 'application/vnd.pgrst.plan+json'
    expect(accept(type)).toMatchObject({ kind: 'plan', format: 'json' })
    expect(() => accept(type, { plans: false })).toThrow(
      refused(406, 'PGRST107', { message: `None of these media types are available: ${type}` }),
    )
  })

  test('one object means one row', () =>
    expect(planOf({ headers: { accept: 'application/vnd.pgrst.object+json' } }).checks.single).toBe(true))
})

test('strict handling refuses preferences that nobody understands', () => {
  expect(() => planOf({ headers: { prefer: 'handling=strict, foo, bar' } })).toThrow(
    refused(400, 'PGRST122', { details: 'Invalid preferences: foo, bar' }),
  )
  expect(planOf({ headers: { prefer: 'foo' } }).kind).toBe('read')
})
