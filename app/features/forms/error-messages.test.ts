import { expect, it } from 'vitest'
import { callbackMessage, dataOf, errorMessage, serviceMessage } from './error-messages.ts'

it('says what a code means', () => {
  expect(
    errorMessage({ code: 'mfa_verification_failed', status: 422, message: 'Invalid code entered' }),
  ).toBe('That code did not work. Please check it and try again.')
})

it('says why a leaked password is not taken', () => {
  const error = { code: 'weak_password', status: 422, message: 'Password is known…', reasons: ['pwned'] }
  expect(errorMessage(error)).toContain('appears in lists of leaked passwords')
})

it('does not blame whoever meets a busy service', () => {
  const code = 'over_request_rate_limit'
  expect(errorMessage({ code, status: 429, message: 'Request rate limit reached' })).toContain(
    'Too many attempts',
  )
  expect(errorMessage({ code, status: 503, message: 'The service is busy.' })).toContain('in a few seconds')
})

it('lets other errors speak for themselves', () => {
  expect(errorMessage({ code: 'weak_password', status: 422, message: 'Password should be longer.' })).toBe(
    'Password should be longer.',
  )
})

it.each([undefined, null, 'broken', new TypeError('Failed to fetch')])('has words for %j too', (error) => {
  expect(errorMessage(error)).toBe('Authentication failed')
})

it('says what a link brought: by its code, or in the words that came with it', () => {
  expect(callbackMessage({ code: 'bad_oauth_state', text: 'OAuth state has expired' })).toContain('too long')
  expect(callbackMessage({ code: 'otp_expired', text: 'Email link has expired' })).toBe(
    'Email link has expired',
  )
})

it('gives the data of an answer, and throws its error', () => {
  expect(dataOf({ data: 1, error: null })).toBe(1)
  expect(() => dataOf({ data: null, error: new Error('no') })).toThrow('no')
})

it.each([
  [{ message: 'Invalid login credentials', status: 400 }, 'Invalid login credentials'],
  [{ message: '', status: 400 }, 'Authentication failed'],
  [{ message: 'Failed to fetch', status: 0 }, 'Authentication failed'],
  [{ message: 'Importing a module script failed' }, 'Authentication failed'],
  [{}, 'Authentication failed'],
])('the failure %j is told as %j', (error, message) => {
  expect(serviceMessage(error)).toBe(message)
})
