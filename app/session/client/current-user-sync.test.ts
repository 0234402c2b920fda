import type { Factor, User } from '@supabase/auth-js'
import { expect, it } from 'vitest'
import { missingMfa } from './current-user-sync.ts'

const token = (claims: object) =>
  `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`
const factor = (fields: Partial<Factor> = {}): Factor => ({
  id: 'f1',
  factor_type: 'totp',
  status: 'verified',
  friendly_name: 'Phone',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  ...fields,
})
const session = (aal: string, factors?: Factor[]) => ({
  access_token: token({ aal, name: 'Zoë ÿÿÿ' }),
  user: { factors } as User,
})

it('asks for nothing from an account without factors', () => {
  expect(missingMfa(session('aal1'))).toBeNull()
  expect(missingMfa(session('aal1', []))).toBeNull()
})

it('asks for a verified factor until it has been given', () => {
  expect(missingMfa(session('aal1', [factor()]))).toEqual([
    { id: 'f1', type: 'totp', name: 'Phone', addedAt: '2026-01-01T00:00:00Z' },
  ])
  expect(missingMfa(session('aal2', [factor()]))).toBeNull()
})

it('does not ask for a factor that has not been verified', () => {
  expect(missingMfa(session('aal1', [factor({ status: 'unverified' })]))).toBeNull()
})

it('takes a token that cannot be read for one that proves little', () => {
  const user = { factors: [factor()] } as User
  expect(missingMfa({ access_token: 'opaque', user })).toHaveLength(1)
})
