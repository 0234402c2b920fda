import { expect, it } from 'vitest'
import type { SecondFactor } from '#app/session/current-user.tsx'
import { factorLabel, inOrder } from './mfa-challenge.tsx'

const factor = (type: SecondFactor['type'], fields: Partial<SecondFactor> = {}): SecondFactor => ({
  id: type,
  type,
  name: '',
  addedAt: '2026-01-01T00:00:00Z',
  ...fields,
})

it('asks for the app first, and for a recovery code last', () => {
  const mixed = (['recovery_code', 'phone', 'totp', 'webauthn'] as const).map((type) => factor(type))
  expect(inOrder(mixed).map(({ type }) => type)).toEqual(['totp', 'webauthn', 'phone', 'recovery_code'])
})

it.each([
  [factor('totp'), 'Authenticator app'],
  [factor('totp', { name: 'My phone' }), 'Authenticator app: My phone'],
  [factor('phone', { phone: '15550001234', name: 'Home' }), 'Text message: number ending in 34'],
  [factor('recovery_code', { name: 'Recovery codes' }), 'Use a recovery code'],
])('%j is called %s', (one, label) => {
  expect(factorLabel(one)).toBe(label)
})
