import type { Factor, Session, User } from '@supabase/auth-js'
import type { SecondFactor } from '../second-factor.ts'

type Account = Pick<User, 'factors'>

/** The factors of an account that have proved to work. */
export const secondFactorsOf = ({ factors = [] }: Account): SecondFactor[] =>
  factors.filter(isUsable).map((factor) => ({
    id: factor.id,
    type: factor.factor_type,
    name: factor.friendly_name ?? '',
    ...('phone' in factor && typeof factor.phone === 'string' && factor.phone && { phone: factor.phone }),
    addedAt: factor.created_at,
  }))

type Usable = Factor & { factor_type: SecondFactor['type'] }

const types: ReadonlySet<string> = new Set<SecondFactor['type']>([
  'totp',
  'phone',
  'webauthn',
  'recovery_code',
])

const isUsable = (factor: Factor): factor is Usable =>
  factor.status === 'verified' && types.has(factor.factor_type)

/**
 * What the account still has to show before anybody is signed in; null when nothing is missing. The rule is that of
 * `getAuthenticatorAssuranceLevel`, for the session at hand: what is stored may already be another tab's.
 */
export function missingStep({
  access_token,
  user,
}: Pick<Session, 'access_token' | 'user'>): SecondFactor[] | null {
  const factors = secondFactorsOf(user)
  return factors.length === 0 || assuranceOf(access_token) === 'aal2' ? null : factors
}

/** How much a session has shown: the claim `aal`. The service checks tokens; here it is only about what to show. */
export function assuranceOf(token: string): unknown {
  try {
    const [, payload = ''] = token.split('.')
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))).aal
  } catch {
    return undefined
  }
}
