import { expect, it } from 'vitest'
import { absoluteAddress } from './site.ts'

const origins = { siteUrl: 'https://site.example', apiUrl: 'https://api.example' }

it.each([
  ['/about', 'https://site.example/about'],
  [
    '/storage/v1/object/public/images/a b.webp',
    'https://api.example/storage/v1/object/public/images/a%20b.webp',
  ],
  ['https://elsewhere.example/a.png', 'https://elsewhere.example/a.png'],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['http://', undefined],
])('absoluteAddress(%j) is %j', (address, expected) => {
  expect(absoluteAddress(address, origins)).toBe(expected)
})
