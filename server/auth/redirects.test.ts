import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { isAllowedRedirect, toPattern } from './redirects.ts'

const rules = {
  siteUrl: 'https://site.example',
  redirectUrls: [
    'https://*.app.example/**',
    'myapp://callback',
    'http://localhost:5173',
    'https://one.example/a?b=*',
  ],
}

test.each([
  ['https://site.example', true],
  ['https://site.example/any/where?x=1#y', true],
  ['https://SITE.example/', true],
  ['https://preview.app.example/deep/er', true],
  ['myapp://callback', true],
  ['http://localhost:5173/', true],
  ['http://localhost:5173/?sb_flow_id=abc', true],
  ['https://one.example/a?b=c', true],
  ['http://site.example/', false],
  ['https://site.example:8443/', false],
  ['https://site.example.evil.example/', false],
  ['https://evil.example/https://site.example', false],
  ['https://site.example@evil.example/', false],
  ['https://user:pass@site.example/', false],
  ['https://evil.example\\@site.example/', false],
  ['https:\\\\site.example', false],
  ['//site.example', false],
  ['/relative', false],
  ['javascript://site.example/%0aalert(1)', false],
  ['data:text/html,x', false],
  ['https://site.example/\nLocation: x', false],
  ['https://a.b.app.example/x', false],
  ['https://evil.example/.app.example/x', false],
  ['https://app.example/x', false],
  ['myapp://callback/deeper', false],
  ['http://localhost:5173/other', false],
  ['', false],
  [`https://site.example/${'x'.repeat(3000)}`, false],
])('isAllowedRedirect(%j) is %j', (wanted, expected) => {
  expect(isAllowedRedirect(wanted, rules)).toBe(expected)
})

describe('isAllowedRedirect', () => {
  it('lets nobody but the site and the list be reached, whatever the text', () => {
    const pieces = fc.constantFrom(
      'https://',
      'http:',
      '//',
      '/',
      '\\',
      '@',
      ':',
      '?',
      '#',
      '.',
      'site.example',
      'evil.example',
      '%2f',
      'app.example',
      '\t',
      'x',
    )
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 10 }).map((parts) => parts.join('')),
        (wanted) => {
          if (!isAllowedRedirect(wanted, rules)) return
          const { host } = new URL(wanted)
          expect(
            ['site.example', 'one.example', 'localhost:5173'].includes(host) || host.endsWith('.app.example'),
          ).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

test.each([
  ['https://*.x.example', 'https://a.x.example', true],
  ['https://*.x.example', 'https://a.b.x.example', false],
  ['https://x.example/**', 'https://x.example/a/b.c', true],
  ['https://x.example/?', 'https://x.example/a', true],
  ['https://x.example/?', 'https://x.example/ab', false],
  ['https://x.example/a+b', 'https://x.example/aab', false],
])('the pattern %j takes %j: %j', (pattern, text, expected) => {
  expect(toPattern(pattern).test(text)).toBe(expected)
})
