import { describe, expect, test } from 'vitest'
import { responseHeaders, responseStatus } from '../response.ts'

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
