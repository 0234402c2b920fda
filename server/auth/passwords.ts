import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/bcrypt'
import { authErrors, type WeakReason } from './errors.ts'
import { matchesHash } from './password-hashes.ts'
import type { PasswordRules } from './settings.ts'

const COST = 10

/** bcrypt, on a thread of its own. */
export const hashPassword = (password: string): Promise<string> => hash(password, { cost: COST })

/** Whoever has no password, or no account, costs as much time as everybody else. */
const nobody = hashPassword(randomBytes(24).toString('base64url'))

/** Whether the password belongs to the hash. Without a hash the answer is no, after the same time. */
export async function isPasswordOf(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const matches = await matchesHash(password, passwordHash || (await nobody))
  return matches && Boolean(passwordHash)
}

/** What is wrong with a password by the owner's rules, in GoTrue's words; undefined when nothing is. */
export function weaknessOf(password: string, { minLength, mustContain }: PasswordRules) {
  const missing = mustContain.some((set) => ![...set].some((character) => password.includes(character)))
  const problems: Array<[WeakReason, string]> = [
    ...([...password].length < minLength
      ? [['length', `Password should be at least ${minLength} characters.`] as [WeakReason, string]]
      : []),
    ...(missing
      ? [
          [
            'characters',
            `Password should contain at least one character of each: ${mustContain.join(', ')}.`,
          ] as [WeakReason, string],
        ]
      : []),
  ]
  if (problems.length === 0) return undefined
  return {
    reasons: problems.map(([reason]) => reason),
    message: problems.map(([, message]) => message).join(' '),
  }
}

/** Errors: weak_password with all reasons. */
export function mustBeStrong(password: string, rules: PasswordRules): void {
  const weakness = weaknessOf(password, rules)
  if (weakness) throw authErrors.weakPassword(weakness.reasons, weakness.message)
}
