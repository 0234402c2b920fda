import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { securityHeaders } from './headers.ts'

test.each([
  [{ https: false, hstsSubdomains: true }, null],
  [{ https: true, hstsSubdomains: false }, 'max-age=31536000'],
  [{ https: true, hstsSubdomains: true }, 'max-age=31536000; includeSubDomains'],
])('with %j browsers are told %j', async (options, expected) => {
  const app = new Hono().use(securityHeaders(options)).get('/', (c) => c.text('page'))
  expect((await app.request('/')).headers.get('strict-transport-security')).toBe(expected)
})
