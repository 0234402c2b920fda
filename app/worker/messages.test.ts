import { expect, it } from 'vitest'
import { memberCacheName, readMessage } from './messages.ts'

const page = { address: '/resource/1', assets: [], picture: null, title: 'One' }

it.each(['pages', memberCacheName('1')])('a page may be kept in the cache %s', (cacheName) =>
  expect(readMessage({ cacheName, page })).toEqual({ cacheName, page }),
)

it.each([
  ['nothing', null],
  ['text', 'keep'],
  ['no page', { cacheName: 'pages' }],
  ['another cache', { cacheName: 'assets', page }],
  ['another origin', { cacheName: 'pages', page: { ...page, address: 'https://elsewhere.example/' } }],
  [
    'another origin without its scheme',
    { cacheName: 'pages', page: { ...page, address: '//elsewhere.example/' } },
  ],
])('%s is no message that the worker understands', (_what, data) => expect(readMessage(data)).toBeNull())
