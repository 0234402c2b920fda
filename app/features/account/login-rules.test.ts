import { expect, it } from 'vitest'
import { failureMessage, findMissing, type LoginFields, type LoginMode, readLogin } from './login-rules.ts'

const all: LoginFields = { email: 'a@b.c', password: 'p', remember: true, privacy: true, terms: true }
const FILL = 'Please fill in all fields'
const ACCEPT = 'Please accept both the Privacy Policy and Terms of Service to create an account'

it.each<[LoginMode, Partial<LoginFields>, string | null]>([
  ['sign-in', {}, null],
  ['sign-in', { email: '' }, FILL],
  ['sign-in', { password: '' }, FILL],
  ['sign-in', { privacy: false, terms: false }, null],
  ['create', {}, null],
  ['create', { password: '', terms: false }, FILL],
  ['create', { privacy: false }, ACCEPT],
  ['create', { terms: false }, ACCEPT],
  ['forgot', { password: '' }, null],
  ['forgot', { email: '' }, FILL],
])('%s with %j says %j', (mode, fields, missing) => {
  expect(findMissing(mode, { ...all, ...fields })).toBe(missing)
})

it('reads the form; spaces around an address do not count, those of a password do', () => {
  const form = new FormData()
  form.set('email', '  a@b.c ')
  form.set('password', ' p ')
  form.set('remember', 'on')
  expect(readLogin(form)).toEqual({
    email: 'a@b.c',
    password: ' p ',
    remember: true,
    privacy: false,
    terms: false,
  })
})

it.each([
  [{ message: 'Invalid login credentials', status: 400 }, 'Invalid login credentials'],
  [{ message: '', status: 400 }, 'Authentication failed'],
  [{ message: 'Failed to fetch', status: 0 }, 'Authentication failed'],
  [{ message: 'Importing a module script failed' }, 'Authentication failed'],
  [{}, 'Authentication failed'],
])('the failure %j is told as %j', (error, message) => {
  expect(failureMessage(error)).toBe(message)
})
