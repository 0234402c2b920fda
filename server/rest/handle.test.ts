import { describe, expect, test } from 'vitest'
import { madeSchemaCache, rawRequest, refused, restSettings } from '#tests/support/rest-requests.ts'
import { createPrepare } from './handle.ts'

const schemaCache = madeSchemaCache()
const listing = { path: '/things?select=id&limit=8' }
const prepare = createPrepare(restSettings)
const prepared = (words: Parameters<typeof rawRequest>[0], of = schemaCache) => prepare(rawRequest(words), of)

describe('a read', () => {
  test('in the same words is prepared once', () => {
    const headers = { accept: 'text/csv', prefer: 'count=exact', range: '0-1', 'x-client-info': 'a' }
    expect(prepared({ ...listing, headers: { ...headers, 'x-client-info': 'b' } })).toBe(
      prepared({ ...listing, headers }),
    )
  })

  test.each([
    ['another column', { path: '/things?select=name&limit=8' }],
    ['another table', { path: '/some%20things?select=id&limit=8' }],
    ['another method', { ...listing, method: 'HEAD' }],
    ['another form', { ...listing, headers: { accept: 'text/csv' } }],
    ['another count', { ...listing, headers: { prefer: 'count=exact' } }],
    ['another range', { ...listing, headers: { range: '0-1' } }],
    ['a named schema', { ...listing, headers: { 'accept-profile': 'public' } }],
  ])('with %s is another', (_what, words) => {
    const before = prepared(listing)
    expect(prepared(words)).not.toEqual(before)
    expect(prepared(listing)).toBe(before)
  })

  test('is prepared anew when the schema cache changes', () => {
    const before = prepared(listing)
    const after = prepared(listing, madeSchemaCache())
    expect(after).toEqual(before)
    expect(after).not.toBe(before)
  })

  test('that is refused is refused each time', () => {
    for (const _time of [1, 2]) {
      expect(() => prepared({ path: '/things?select=nope' })).toThrow(refused(400, '42703'))
    }
  })

  test('in very many words is not worth remembering', () => {
    const long = { path: `/things?id=in.(${'1,'.repeat(1000)}1)` }
    expect(prepared(long)).not.toBe(prepared(long))
  })
})

test('a write is never remembered, since its body is not in its address', () => {
  const first = prepared({ method: 'POST', body: { name: 'a' } })
  const second = prepared({ method: 'POST', body: { name: 'b' } })
  expect(first.statements.main.values).toEqual(['{"name":"a"}'])
  expect(second.statements.main.values).toEqual(['{"name":"b"}'])
})
