import { expect, test } from 'vitest'
import { pageKey, pathWithoutLineBreaks } from './page-cache.ts'

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

test.each([
  ['/', undefined],
  ['/resources/%20a', undefined],
  ['/%0a', '/'],
  ['/resource/1%0D%0A', '/resource/1'],
  ['/a%e2%80%a8b%E2%80%A9', '/ab'],
  ['/%0a/elsewhere.example', '/elsewhere.example'],
  ['/%0a%0d//elsewhere.example', '/elsewhere.example'],
])('the path %s without line breaks is %s', (path, expected) => {
  expect(pathWithoutLineBreaks(new URL(path, 'http://site.test'))).toBe(expected)
})
