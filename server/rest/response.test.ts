import { describe, expect, test } from 'vitest'
import { planOf } from '#tests/support/rest-requests.ts'
import { parsePrefer } from './request/headers.ts'
import { contentRange, preferenceApplied, rangeStatus, responseHeaders, responseStatus } from './response.ts'

const everything =
  'return=representation,resolution=merge-duplicates,missing=default,count=exact,handling=strict,timezone=UTC,max-affected=5'

test.each([
  ['GET', '/things', everything, 'count=exact, handling=strict, timezone=UTC'],
  [
    'POST',
    '/things',
    everything,
    'resolution=merge-duplicates, missing=default, return=representation, count=exact, handling=strict, timezone=UTC, max-affected=5',
  ],
  [
    'PATCH',
    '/things?id=eq.1',
    everything,
    'missing=default, return=representation, count=exact, handling=strict, timezone=UTC, max-affected=5',
  ],
  ['DELETE', '/things?id=eq.1', 'return=minimal,max-affected=5', 'return=minimal'],
  ['PUT', '/things?id=eq.1', 'return=minimal,resolution=merge-duplicates', 'return=minimal'],
  ['POST', '/some%20things', 'resolution=merge-duplicates', undefined],
  ['GET', '/things', 'tx=rollback,foo', undefined],
])('%s %s with %s grants %s', (method, path, prefer, expected) => {
  const body = method === 'GET' ? undefined : { id: 1 }
  const plan = planOf({ method, path, headers: { prefer }, body })
  expect(preferenceApplied(plan, parsePrefer(prefer))).toBe(expected)
})

test.each([
  [{ offset: 0, page: 10 }, '0-9/*', 200],
  [{ offset: 0, page: 10, total: 100 }, '0-9/100', 206],
  [{ offset: 90, page: 10, total: 100 }, '90-99/100', 206],
  [{ offset: 0, page: 100, total: 100 }, '0-99/100', 200],
  [{ offset: 0, page: 0 }, '*/*', 200],
  [{ offset: 0, page: 0, total: 0 }, '*/0', 200],
  [{ offset: 0, page: 0, total: 5 }, '*/5', 206],
  [{ offset: 5, page: 0, total: 5 }, '*/5', 206],
  [{ offset: 6, page: 0, total: 5 }, '*/5', 416],
  [{ offset: 1, page: 0, total: 0 }, '*/0', 416],
  [{ offset: 0, page: 3, total: 2 }, '0-2/2', 200],
])('%j is %s with status %i', (counts, header, status) => {
  expect(contentRange(counts)).toBe(header)
  expect(rangeStatus(counts)).toBe(status)
})

describe('response.status', () => {
  test('may be any status that ends a request', () => expect(responseStatus('418')).toBe(418))

  test.each(['', 'no', '99', '100', '199', '600', '4180', '4e2', ' 418', '-1'])('may not be %j', (text) =>
    expect(() => responseStatus(text)).toThrow('response.status guc must be a valid status code'),
  )
})

describe('response.headers', () => {
  test('is a list of single headers', () =>
    expect(responseHeaders('[{"Set-Cookie": "a=1"}, {"Set-Cookie": "b=2"}]')).toEqual([
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ]))

  test.each([
    '',
    'no json',
    '{"a": "b"}',
    '[{"a": 1}]',
    '[{"a": "1", "b": "2"}]',
    '[{}]',
    '["a"]',
    '[{"a b": "c"}]',
    '[{"a": "c\\r\\nSet-Cookie: x"}]',
    '[{"a": "\\u20ac"}]',
  ])('may not be %s', (text) => expect(() => responseHeaders(text)).toThrow(/^response.headers guc must be/))
})
