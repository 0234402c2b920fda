import { expect, it } from 'vitest'
import { mediaAddress } from './library.ts'

const kept = '/storage/v1/object/public/images/a.webp'
const embedded = { siteUrl: 'https://site.example', apiUrl: 'https://site.example' }
const hosted = { siteUrl: 'https://site.example', apiUrl: 'https://project.example' }

it.each([
  ['our own address stays without an origin where the site serves it', kept, embedded, kept],
  [
    "our own address gets the project's origin in hosted mode",
    kept,
    hosted,
    `https://project.example${kept}`,
  ],
  ['an address elsewhere stays what it is', 'https://cdn.example/a.png', hosted, 'https://cdn.example/a.png'],
  ['a file of the site stays what it is', '/favicon.svg', hosted, '/favicon.svg'],
  ['none stays none', null, hosted, null],
])('%s', (_, address, settings, expected) => expect(mediaAddress(address, settings)).toBe(expected))
