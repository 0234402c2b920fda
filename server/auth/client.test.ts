import { expect, test } from 'vitest'
import { limitKey, namedByProxy } from './client.ts'

test.each([
  ['203.0.113.1', 0, undefined],
  ['203.0.113.1', 1, '203.0.113.1'],
  ['made-up, 203.0.113.1', 1, '203.0.113.1'],
  ['198.51.100.9, 203.0.113.1', 2, '198.51.100.9'],
  ['203.0.113.1', 2, undefined],
  ['2001:db8::1', 1, '2001:db8::1'],
  ['not an address', 1, undefined],
  ["127.0.0.1'; drop table users", 1, undefined],
  [undefined, 1, undefined],
])('of X-Forwarded-For %j behind %i proxies, the client is %j', (header, proxies, expected) => {
  expect(namedByProxy(header, proxies)).toBe(expected)
})

test.each([
  ['203.0.113.1', '203.0.113.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  [undefined, 'within'],
])('limits count %j as %j', (address, expected) => {
  expect(limitKey(address)).toBe(expected)
})
