import { expect, test } from 'vitest'
import { clientAddress, networkOf } from './admission.ts'

test.each([
  ['203.0.113.1', 0, undefined],
  ['203.0.113.1', 1, '203.0.113.1'],
  ['made-up, 203.0.113.1', 1, '203.0.113.1'],
  ['198.51.100.9, 203.0.113.1', 2, '198.51.100.9'],
  ['203.0.113.1', 2, undefined],
  ['2001:db8::1', 1, '2001:db8::1'],
  ['::ffff:203.0.113.1', 1, '203.0.113.1'],
  ['not an address', 1, undefined],
  ["127.0.0.1'; drop table users", 1, undefined],
  [undefined, 1, undefined],
])('of X-Forwarded-For %j behind %i proxies, the client is %j', (forwardedFor, proxies, expected) => {
  expect(clientAddress({ forwardedFor, socketAddress: undefined }, proxies)).toBe(expected)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
  ['::ffff:0:192.0.2.1', '::ffff:0:192.0.2.1'],
  ['::1', '::1'],
])('the address of a socket at %s is %s', (socketAddress, expected) => {
  expect(clientAddress({ forwardedFor: undefined, socketAddress }, 0)).toBe(expected)
})

test.each([
  ['203.0.113.1', '203.0.113.1'],
  ['::ffff:203.0.113.1', '203.0.113.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  [undefined, 'within'],
])('%j counts as %j', (address, expected) => {
  expect(networkOf(address)).toBe(expected)
})
