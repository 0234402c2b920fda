import { expect, test } from 'vitest'
import { pageKey } from './page-key.ts'

test.each([
  ['/', '/'],
  ['/resources?utm_source=mail&fbclid=1', '/resources'],
  ['/resources?page=2&q=sleep', '/resources?page=2&q=sleep'],
  ['/resources?q=sleep&page=2&x=1', '/resources?page=2&q=sleep'],
  ['/resources.data?_routes=routes%2Flisting&q=a%20b', '/resources.data?_routes=routes%2Flisting&q=a+b'],
  ['/resources?q=%F0%9F%8C%B1', '/resources?q=%F0%9F%8C%B1'],
])('%s is the page %s', (address, key) => {
  expect(pageKey(new URL(address, 'http://site.test'))).toBe(key)
})
