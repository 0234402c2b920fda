import { expect, it } from 'vitest'
import { type LoginMode, loginSchemas } from './login-form.tsx'

const all = { email: 'a@b.c', password: 'p', remember: 'on', privacy: 'on', terms: 'on' }
const FILL = 'Please fill in all fields'
const ACCEPT = 'Please accept both the Privacy Policy and Terms of Service to create an account'

it.each<[LoginMode, Partial<typeof all>, string | null]>([
  ['sign-in', {}, null],
  ['sign-in', { email: '' }, FILL],
  ['sign-in', { password: '' }, FILL],
  ['sign-in', { privacy: '', terms: '' }, null],
  ['create', {}, null],
  ['create', { password: '', terms: '' }, FILL],
  ['create', { privacy: '' }, ACCEPT],
  ['create', { terms: '' }, ACCEPT],
  ['forgot', { password: '' }, null],
  ['forgot', { email: '' }, FILL],
])('%s with %j says %j', (mode, fields, missing) => {
  const { error } = loginSchemas[mode].safeParse({ ...all, ...fields })
  expect(error?.issues[0]?.message ?? null).toBe(missing)
})

it('reads the form; spaces around an address do not count, those of a password do', () => {
  const form = { email: '  a@b.c ', password: ' p ', remember: 'on' }
  expect(loginSchemas['sign-in'].parse(form)).toEqual({ email: 'a@b.c', password: ' p ', remember: true })
  expect(loginSchemas['sign-in'].parse({ ...form, remember: '' }).remember).toBe(false)
  expect(loginSchemas.create.safeParse({ ...form, privacy: '', terms: '' }).success).toBe(false)
})
