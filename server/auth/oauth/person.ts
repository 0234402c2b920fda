import { email as emailField } from '../request-body.ts'
import type { Metadata } from '../users/user.ts'
import type { Person } from './port.ts'

const MAX_SUBJECT = 255
const MAX_TEXT = 1000

/** What a provider says, before anything of it is believed. */
export interface Claims {
  readonly [name: string]: unknown
}

interface Reading {
  issuer: string
  claims: Claims
  /** What this provider's word is worth. */
  isVerified: (claims: Claims) => boolean
}

/** Claims (OpenID Connect's names) as a person. Errors: undefined when they name nobody. */
export function readPerson({ issuer, claims, isVerified }: Reading): Person | undefined {
  const subject = text(claims.sub, MAX_SUBJECT)
  if (!subject) return undefined
  const email = emailField.safeParse(claims.email).data
  const emailVerified = email !== undefined && isVerified(claims)
  const name = text(claims.name) ?? joined(claims.given_name, claims.family_name)
  const picture = webAddress(claims.picture)
  const userName = text(claims.preferred_username)
  const facts: Metadata = {
    iss: issuer,
    sub: subject,
    provider_id: subject,
    ...(email && { email }),
    email_verified: emailVerified,
    phone_verified: false,
    ...(name && { name, full_name: name }),
    ...(picture && { picture, avatar_url: picture }),
    ...(userName && { preferred_username: userName, user_name: userName }),
  }
  return { subject, email, emailVerified, facts }
}

/** `true`, as the standard has it, or in quotes, as Apple writes it. */
export const saysVerified = ({ email_verified: verified }: Claims): boolean =>
  verified === true || verified === 'true'

/** A text that the database can hold and a token can carry. */
export function text(value: unknown, max = MAX_TEXT): string | undefined {
  const plain = typeof value === 'number' ? String(value) : value
  if (typeof plain !== 'string' || plain === '' || plain.length > max) return undefined
  return plain.includes('\0') || !plain.isWellFormed() ? undefined : plain
}

const joined = (...parts: unknown[]): string | undefined =>
  parts.flatMap((part) => text(part) ?? []).join(' ') || undefined

/** Pictures are shown on pages: only https, never data or scripts. */
function webAddress(value: unknown): string | undefined {
  const address = text(value)
  return address && URL.canParse(address) && new URL(address).protocol === 'https:' ? address : undefined
}

const MAX_FORM = 2000

/** Apple tells the name once, in a form beside the signed token: good enough for a name, and for nothing else. */
export function withNameOf(person: Person, form: string | undefined): Person {
  if (!form || form.length > MAX_FORM || person.facts.name) return person
  try {
    const { name } = JSON.parse(form) as { name?: { firstName?: unknown; lastName?: unknown } }
    const full = joined(name?.firstName, name?.lastName)
    return full ? { ...person, facts: { ...person.facts, name: full, full_name: full } } : person
  } catch {
    return person
  }
}
