import { z } from 'zod'
import { authErrors } from '../errors.ts'
import { hashPassword, isPasswordHash, mustBeStrong } from '../password/passwords.ts'
import { email, metadata, optional, password, phone } from '../request-body.ts'
import type { PasswordRules } from '../settings.ts'

/** What an admin may say about a user, when making one and when changing one. */
export const UserFields = z.object({
  id: optional(z.guid('ID must conform to the uuid format')),
  email: optional(email),
  phone: optional(phone),
  password: optional(password),
  password_hash: optional(z.string().refine(isPasswordHash, 'Password hash must be a bcrypt or argon2 hash')),
  email_confirm: optional(z.boolean()),
  phone_confirm: optional(z.boolean()),
  user_metadata: optional(metadata),
  app_metadata: optional(metadata),
  role: optional(z.enum(['anon', 'authenticated', 'service_role'], 'role must be a role of the database')),
  aud: optional(z.string().max(255)),
  ban_duration: optional(z.string().max(64)),
})
export type UserFields = z.output<typeof UserFields>

/** The hash to keep, from a password or a hash; undefined when there is neither. Errors: weak_password. */
export async function chosenHash(fields: UserFields, rules: PasswordRules): Promise<string | undefined> {
  if (fields.password && fields.password_hash) {
    throw authErrors.invalid('Only a password or a password hash should be provided')
  }
  if (fields.password === undefined) return fields.password_hash
  await mustBeStrong(fields.password, rules)
  return hashPassword(fields.password)
}

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1e3,
  m: 6e4,
  h: 3.6e6,
}
/** As long as Go's durations can be. */
const LONGEST_MS = 292 * 365.25 * 86_400_000

/** Until when a ban holds: `24h`, `1h30m` (Go's durations), or `none` for no ban. Errors: validation_failed. */
export function banUntil(duration: string, now: number): string | null {
  if (duration === 'none') return null
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)]
  const ms = parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (unitMs[unit] ?? 0), 0)
  const isWhole = parts.map(([part]) => part).join('') === duration
  if (parts.length === 0 || !isWhole || ms > LONGEST_MS) {
    throw authErrors.invalid('invalid format for ban duration: a number with h, m or s is needed, or none')
  }
  return new Date(now + ms).toISOString()
}
