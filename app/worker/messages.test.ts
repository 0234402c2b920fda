import { expect, it } from 'vitest'
import { memberShelf, readMessage } from './messages.ts'

const page = { address: '/resource/1', assets: [], picture: null, title: 'One' }

it.each(['pages', memberShelf('1')])('a page may be kept on the shelf %s', (shelf) =>
  expect(readMessage({ shelf, page })).toEqual({ shelf, page }),
)

it.each([
  ['nothing', null],
  ['text', 'keep'],
  ['no page', { shelf: 'pages' }],
  ['another shelf', { shelf: 'assets', page }],
  ['another origin', { shelf: 'pages', page: { ...page, address: 'https://elsewhere.example/' } }],
  [
    'another origin without its scheme',
    { shelf: 'pages', page: { ...page, address: '//elsewhere.example/' } },
  ],
])('%s is no message that the worker understands', (_what, data) => expect(readMessage(data)).toBeNull())
