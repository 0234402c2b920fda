import { describe, expect, it } from 'vitest'
import { assetsIn, kindOf, pageOfData } from './requests.ts'

const origin = 'https://site.example'
const kind = (path: string, more: Partial<Request> = {}) =>
  kindOf({ url: new URL(path, origin).href, method: 'GET', mode: 'cors', destination: '', ...more }, origin)

describe('what the service worker looks after', () => {
  it.each([
    ['a page', '/resource/1?from=x', { mode: 'navigate' }, 'page'],
    ['the data of a page', '/resources.data?q=sleep&_routes=routes%2Flisting', {}, 'data'],
    ['a built file', '/assets/shell-1.js', { destination: 'script' }, 'asset'],
    ['a picture', '/storage/v1/object/public/images/a.webp', { destination: 'image' }, 'picture'],
    [
      "a hosted project's picture",
      'https://p.supabase.co/storage/v1/object/public/images/a.webp',
      { destination: 'image' },
      'picture',
    ],
  ] as const)('%s', (_what, path, more, expected) => expect(kind(path, more)).toBe(expected))

  it.each([
    ['a recording', '/storage/v1/object/public/audio/a.mp3', { destination: 'audio' }],
    ["a member's data", '/rest/v1/users?id=eq.1', {}],
    ['a sign-in', '/auth/v1/token?grant_type=password', { method: 'POST' }],
    ['the link of a mail', '/auth/v1/verify?token=1', { mode: 'navigate' }],
    ['a picture of somebody else', 'https://elsewhere.example/a.png', { destination: 'image' }],
    ['a script of another origin', 'https://elsewhere.example/assets/a.js', { destination: 'script' }],
    ['a form', '/resources', { mode: 'navigate', method: 'POST' }],
  ] as const)('but not %s', (_what, path, more) => expect(kind(path, more)).toBeNull())
})

it.each([
  ['/_root.data', '/'],
  ['/resource/1.data', '/resource/1'],
  ['/resources.data?q=a+b&_routes=routes%2Flisting', '/resources?q=a+b'],
])('%s is the data of %s', (data, page) => expect(pageOfData(origin + data)).toBe(page))

it('finds each built file that a page names, once', () => {
  const html = `<link href="/assets/a-1.css"><script>import("/assets/b_2.js")</script><img src="/assets/a-1.css">`
  expect(assetsIn(html)).toEqual(['/assets/a-1.css', '/assets/b_2.js'])
})
