import type { SecondFactor } from '#app/session/current-user.ts'

/** The order in which factors are asked for: recovery codes are the last way. */
const order: readonly SecondFactor['type'][] = ['totp', 'webauthn', 'phone', 'recovery_code']

export const inOrder = (factors: readonly SecondFactor[]): SecondFactor[] =>
  factors.toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type))

const kinds: Readonly<Record<SecondFactor['type'], string>> = {
  totp: 'Authenticator app',
  webauthn: 'Security key',
  phone: 'Text message',
  recovery_code: 'Recovery code',
}

/** What a factor is called where several are to choose from. */
export function factorLabel({ type, name, phone }: SecondFactor): string {
  if (type === 'recovery_code') return 'Use a recovery code'
  const which = type === 'phone' && phone ? `number ending in ${phone.slice(-2)}` : name
  return which ? `${kinds[type]}: ${which}` : kinds[type]
}
