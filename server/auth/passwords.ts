import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/bcrypt'
import { authErrors, type WeakReason } from './errors.ts'
import { isLeaked } from './leaked-passwords.ts'
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
export async function weaknessOf(password: string, { minLength, mustContain, refuseLeaked }: PasswordRules) {
  const missing = mustContain.some((set) => ![...set].some((character) => password.includes(character)))
  const problems: Array<[WeakReason, string]> = []
  if ([...password].length < minLength)
    problems.push(['length', `Password should be at least ${minLength} characters.`])
  if (missing)
    problems.push([
      'characters',
      `Password should contain at least one character of each: ${mustContain.join(', ')}.`,
    ])
  if (refuseLeaked && (await isLeaked(password)))
    problems.push(['pwned', 'Password is known to be weak and easy to guess, please choose a different one.'])
  if (problems.length === 0) return undefined
  return {
    reasons: problems.map(([reason]) => reason),
    message: problems.map(([, message]) => message).join(' '),
  }
}

/** Errors: weak_password with all reasons. */
export async function mustBeStrong(password: string, rules: PasswordRules): Promise<void> {
  const weakness = await weaknessOf(password, rules)
  if (weakness) throw authErrors.weakPassword(weakness.reasons, weakness.message)
}
