import { expect, it } from 'vitest'
import { type AuthCallback, parseAuthCallback, withoutError } from './auth-callback.ts'

it.each<[hash: string, AuthCallback | null]>([
  ['', null],
  ['#saved', null],
  ['#access_token=a', null],
  ['#access_token=a&refresh_token=b&type=signup', { tokens: { access_token: 'a', refresh_token: 'b' } }],
  [
    '#error=access_denied&error_description=Link+has+expired',
    { error: { text: 'Link has expired', code: 'access_denied' } },
  ],
  [
    '#error=access_denied&error_code=otp_expired&error_description=Link+has+expired',
    { error: { text: 'Link has expired', code: 'otp_expired' } },
  ],
  ['#error=server_error', { error: { text: 'server_error', code: 'server_error' } }],
  ['#message=Confirm+the+other+mailbox&sb=', { message: 'Confirm the other mailbox' }],
  ['#message=not+ours', null],
])('a link with %j brings %j', (hash, callback) => {
  expect(parseAuthCallback(hash)).toEqual(callback)
})

it.each([
  ['', ''],
  ['?next=%2Fadmin', '?next=%2Fadmin'],
  ['?error=access_denied&error_code=x&error_description=No', ''],
  ['?next=%2Fadmin&error=access_denied', '?next=%2Fadmin'],
])('an error leaves the query %j as %j', (search, rest) => {
  expect(withoutError(search)).toBe(rest)
})
