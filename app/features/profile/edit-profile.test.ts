import { expect, it } from 'vitest'
import { profileSchema } from './edit-profile.tsx'

const mistakesIn = (fields: { name: string; avatar: string }) =>
  Object.fromEntries(
    (profileSchema.safeParse({ id: 'me', ...fields }).error?.issues ?? []).map(({ path, message }) => [
      path[0],
      message,
    ]),
  )

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
  expect(mistakesIn({ name: 'Robin', avatar }).avatar).toBe(mistake)
})

it('a name is needed, and has an end', () => {
  expect(mistakesIn({ name: '', avatar: '' })).toEqual({ name: 'Please enter a name.' })
  expect(mistakesIn({ name: 'x'.repeat(201), avatar: '' })).toEqual({
    name: 'A name may have 200 characters at most.',
  })
})
