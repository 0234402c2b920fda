import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/databases.ts'
import { openRest, type RestUnderTest } from '#tests/support/rest.ts'

const columns = [
  ...[
    'id',
    'code',
    'name',
    'amount',
    'big',
    'active',
    'day',
    'moment',
    'data',
    'raw',
    'tags',
    'span',
    'label',
  ],
  ...['mood', 'brief', 'words', 'shout', 'data->a', 'data->>n', 'tags->0'],
]
const operators = [
  ...[
    'eq',
    'neq',
    'gt',
    'gte',
    'lt',
    'lte',
    'like',
    'ilike',
    'match',
    'imatch',
    'isdistinct',
    'eq(any)',
    'like(all)',
  ],
  ...[
    'cs',
    'cd',
    'ov',
    'sl',
    'sr',
    'nxr',
    'nxl',
    'adj',
    'fts',
    'plfts',
    'phfts',
    'wfts',
    'fts(english)',
    'fts(klingon)',
  ],
]
const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e999',
    'NaN',
    'infinity',
    '{',
    '{}',
    '{"a"',
    '[1,2)',
    '[',
    '(',
    '%',
    '\\',
    '*',
    '\0',
    '𝔘',
  ),
  fc.constantFrom(
    '(a',
    'a{1000000}',
    '(?<=x',
    '[[:foo:]]',
    "'",
    '& |',
    '!',
    '<->',
    'now',
    'epoch',
    '9'.repeat(400),
  ),
)

describe('whatever comes', () => {
  let rest: RestUnderTest
  beforeAll(async () => {
    rest = await openRest(openTestDatabase, { aggregates: true })
  })
  afterAll(() => rest.close())

  /** The client is told what was wrong with its request, in the usual form. */
  async function expectAnswered(path: string, init?: RequestInit): Promise<void> {
    const response = await rest.send(path, init)
    const text = await response.text()
    expect(response.status, `${path} ${text}`).toBeLessThan(500)
    if (!response.ok) {
      expect(Object.keys(JSON.parse(text)).sort()).toEqual(['code', 'details', 'hint', 'message'])
    }
  }

  test('any operator may meet any column with any value', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...columns),
        fc.constantFrom(...operators),
        value,
        (column, operator, text) =>
          expectAnswered(`/things?select=id&${new URLSearchParams({ [column]: `${operator}.${text}` })}`),
      ),
      { numRuns: 400 },
    )
  }, 60_000)

  test('any JSON may be stored, or not', async () => {
    const row = fc.dictionary(fc.constantFrom(...columns.slice(0, 15)), fc.jsonValue({ maxDepth: 2 }), {
      maxKeys: 3,
    })
    const headers = {
      'content-type': 'application/json',
      prefer: 'resolution=merge-duplicates,return=representation',
    }
    await fc.assert(
      fc.asyncProperty(row, fc.constantFrom('POST', 'PATCH'), (body, method) =>
        expectAnswered('/things?id=eq.4', { method, headers, body: JSON.stringify(body) }),
      ),
      { numRuns: 200 },
    )
    await rest.sql('delete from public.things where id not in (1, 2, 3, 4)')
  }, 60_000)

  const long = (text: string, times: number) => encodeURIComponent(text.repeat(times))
  test.each([
    ['a path beyond the stack', `/things?select=${long('data->a', 1)}${long('->a', 2000)}`],
    ['a tree beyond the stack', `/things?or=${long('(and', 2000)}`],
    ['more columns than there can be', `/things?select=${'id,'.repeat(2000)}id`],
    ['more orders than there can be', `/things?order=${'id,'.repeat(2000)}id`],
    ['many filters', `/things?and=(${'id.gt.0,'.repeat(1500)}id.gt.0)`],
    ['a long list', `/things?id=in.(${'1,'.repeat(7000)}1)`],
    ['a long pattern', `/things?name=ilike.*${'%25'.repeat(2000)}*`],
    ['a long search', `/things?words=fts.${'a'.repeat(10_000)}`],
    ['a long plain search', `/things?words=plfts.${'ab+'.repeat(4000)}`],
    ['a long regular expression', `/things?name=match.${'(a?)'.repeat(3000)}`],
    ['a huge offset', '/things?offset=99999999999999999999'],
    ['a huge index', '/things?select=data->99999999999999999999'],
    ['a huge range', '/things'],
    ['a broken escape', '/things?name=eq.%ff%fe%'],
    ['a broken escape in the path', '/%ff%'],
    ['a NUL in a value', '/things?name=eq.%00'],
    ['a NUL in a name', '/things?%00=eq.1'],
    ['a NUL in the path', '/%00'],
    ['a NUL in a JSON key', '/things?select=data->%22%00%22'],
    ['prototypes', '/__proto__?constructor=eq.1'],
    ['a prototype as a column', '/things?__proto__=eq.1&select=toString'],
    ['keys without values', '/things?select&order&limit&id'],
    ['a thousand parameters', `/things?${'id=gt.0&'.repeat(1500)}`],
    ['the same aggregate often', `/things?select=${'id.sum(),'.repeat(700)}id.sum()`],
  ])('%s', async (_what, path) => expectAnswered(path, { headers: { range: '0-99999999999999999999999' } }))

  test('a regular expression with back references is answered', async () => {
    const { error } = await rest
      .as('service')
      .from('things')
      .select('id')
      .match({ id: -1 })
      .filter('name', 'match', '(a)\\1')
    expect(error).toBeNull()
  })

  test('an address that is too long is 414', async () => {
    const response = await rest.send(`/things?name=eq.${'x'.repeat(17_000)}`)
    expect([response.status, await response.json()]).toMatchObject([414, { code: 'PGRST100', hint: null }])
  })

  describe('a body', () => {
    const member = { authorization: 'Bearer token-of-alice' }
    const post = (body: BodyInit, headers = {}) =>
      rest.send('/notes', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      })

    test.each([
      ['no JSON', '{"body":', 'PGRST102'],
      ['nothing', '', 'PGRST102'],
      ['no UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), 'PGRST102'],
      ['deep', `{"body":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'PGRST102'],
      ['half an emoji', '{"body":"\\ud83d"}', '22P02'],
      ['a NUL', '{"body":"a\\u0000"}', '22P05'],
      ['a prototype', '{"__proto__":{"a":1}}', 'PGRST204'],
    ])('of %s is 400', async (_what, body, code) => {
      const response = await post(body)
      expect([response.status, await response.json()]).toMatchObject([400, { code }])
    })

    test('whose columns are named is judged by the database', async () => {
      for (const body of ['[{"body":', '[1]', '"x"', '[[]]', 'null', '{']) {
        const response = await rest.send('/notes?columns=body', {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', prefer: 'missing=default' },
        })
        expect([body, response.status]).toEqual([body, 400])
      }
    })

    test('of more than 10 MB is 413, declared or not', async () => {
      const body = JSON.stringify({ body: 'x'.repeat(10 * 1024 * 1024) })
      for (const headers of [{}, { 'content-length': String(body.length) }]) {
        const response = await post(body, { ...headers, ...member })
        expect([response.status, await response.json()]).toMatchObject([
          413,
          { code: 'PGRST102', details: null },
        ])
      }
    })

    test('of nearly 10 MB is stored', async () => {
      const text = 'x'.repeat(9 * 1024 * 1024)
      expect((await post(JSON.stringify({ body: text }), member)).status).toBe(201)
      await rest.sql('truncate public.notes')
    })
  })

  test('nothing of all this is an error of ours', () =>
    expect(rest.logged.filter((line) => /"level":50/.test(line))).toEqual([]))
})
