import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/databases.ts'
import { openRest, type RestUnderTest } from '#tests/support/rest.ts'

describe('paging and counting', () => {
  let rest: RestUnderTest
  beforeAll(async () => {
    rest = await openRest(openTestDatabase, { maxRows: 3 })
  })
  afterAll(() => rest.close())
  const things = () => rest.as('visitor').from('things')
  const ids = (...numbers: number[]) => numbers.map((id) => ({ id }))

  const list = (options = {}) => things().select('id', options).order('id')

  test('limit and range', async () => {
    expect((await list().limit(1)).data).toEqual(ids(1))
    expect((await list().range(1, 2)).data).toEqual(ids(2, 3))
  })

  test('no answer is longer than the server allows', async () => {
    const { data, count, status } = await list({ count: 'exact' }).limit(100)
    expect(data).toEqual(ids(1, 2, 3))
    expect([count, status]).toEqual([4, 206])
  })

  test.each([
    ['limit=2', {}, 200, '0-1/*'],
    ['limit=2&offset=1', { prefer: 'count=exact' }, 206, '1-2/4'],
    ['id=lt.3', { prefer: 'count=exact' }, 200, '0-1/2'],
    ['id=gt.99', { prefer: 'count=exact' }, 200, '*/0'],
    ['id=gt.99', {}, 200, '*/*'],
    ['limit=0', {}, 200, '*/*'],
    ['offset=-4', {}, 200, '0-2/*'],
    ['limit=abc&offset=x', {}, 200, '0-2/*'],
    ['limit=1&limit=2', {}, 200, '0-1/*'],
    ['limit=3', { range: '1-1', 'range-unit': 'items' }, 200, '1-1/*'],
    ['', { range: '2-' }, 200, '2-3/*'],
  ])('?%s %j is %i with %s', async (query, headers, status, range) => {
    const response = await rest.send(`/things?select=id&order=id&${query}`, { headers })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-range')).toBe(range)
  })

  test.each([
    ['limit=-1', {}, 'Limit should be greater than or equal to zero.', null],
    [
      '',
      { range: '5-1' },
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
      null,
    ],
    [
      'offset=9',
      { prefer: 'count=exact' },
      'An offset of 9 was requested, but there are only 4 rows.',
      '*/4',
    ],
  ])('?%s %j cannot be satisfied', async (query, headers, details, range) => {
    const response = await rest.send(`/things?select=id&${query}`, { headers })
    expect(response.status).toBe(416)
    expect(response.headers.get('content-range')).toBe(range)
    expect(await response.json()).toEqual({
      code: 'PGRST103',
      message: 'Requested range not satisfiable',
      details,
      hint: null,
    })
  })

  test('head counts without sending', async () => {
    const { data, count, status } = await things().select('*', { count: 'exact', head: true }).gt('id', 1)
    expect([data, count, status]).toEqual([null, 3, 200])
    const response = await rest.send('/things?select=id', { method: 'HEAD' })
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.text()).toBe('')
  })

  test('a planned count is the planner’s, an estimated one is exact while it is small', async () => {
    await rest.sql('analyze public.things')
    expect((await list({ count: 'planned' })).count).toBe(4)
    // The cap is 3, and there are 4: what the planner thinks is asked too.
    expect((await list({ count: 'estimated' })).count).toBe(4)
    expect((await list({ count: 'estimated' }).lt('id', 3)).count).toBe(2)
  })
})
