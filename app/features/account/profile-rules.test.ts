import { expect, it } from 'vitest'
import { findMistakes } from './profile-rules.ts'

const HTTPS = 'Please enter an address that begins with https://'

it.each([
  ['', undefined],
  ['https://example.org/me.png', undefined],
  ['/storage/v1/object/public/images/me.png', undefined],
  ['http://example.org/me.png', HTTPS],
  ['javascript:alert(1)', HTTPS],
  ['data:image/png;base64,AA', HTTPS],
  ['https://', HTTPS],
  ['//elsewhere.example/me.png', HTTPS],
  [`https://example.org/${'a'.repeat(2000)}`, HTTPS],
])('the picture %j is answered with %j', (avatar, mistake) => {
  expect(findMistakes({ name: 'Robin', avatar }).avatar).toBe(mistake)
})

it('a name is needed, and has an end', () => {
  expect(findMistakes({ name: '', avatar: '' })).toEqual({ name: 'Please enter a name.' })
  expect(findMistakes({ name: 'x'.repeat(201), avatar: '' })).toEqual({
    name: 'A name may have 200 characters at most.',
  })
})
