import { email as emailField } from '../request-body.ts'
import type { Metadata } from '../users/user.ts'

export interface ProviderSettings {
  /** Several with commas between them: the first is for the web, ID tokens may be for any (phone apps have their own). */
  clientId: string
  secret: string
  /** The issuer, or in place of a well-known provider's own addresses. */
  url: string | undefined
}

/** Somebody as a provider describes them. */
export interface Person {
  /** The provider's own, lasting name for the account; an address may change hands, this may not. */
  subject: string
  /** In normal form (`email` of request-body.ts); undefined when the provider tells none. */
  email: string | undefined
  /** Whether the provider has seen that the address is this person's. Only then may it lead to an account. */
  emailVerified: boolean
  /** What is kept in the identity and merged into the user's metadata, in GoTrue's words. */
  facts: Metadata
}

/** For the site to speak to the provider in the person's name; handed on, and kept no longer than a flow lasts. */
export interface ProviderTokens {
  accessToken?: string | undefined
  refreshToken?: string | undefined
}

/** What binds the provider's answer to the question: all three follow from the flow's id. */
export interface FlowProof {
  state: string
  nonce: string
  /** Of PKCE between us and the provider. */
  verifier: string
}

interface AuthorizationRequest {
  proof: FlowProof
  /** Beside those that are always asked for. */
  scopes: readonly string[]
  /** Further parameters of the client's for the provider, e.g. `prompt`. */
  parameters: Readonly<Record<string, string>>
}

export interface IdTokenProof {
  idToken: string
  /** Checked against the ID token's at_hash when both are there. */
  accessToken: string | undefined
  /** As the client knows it; the token's claim holds its SHA-256 in hex. */
  nonce: string | undefined
}

/** One provider, whatever it speaks. Errors: AuthError, with reasons that may be shown. */
export interface IdentityProvider {
  readonly name: string
  /** Where the browser is sent. */
  authorizationUrl(request: AuthorizationRequest): Promise<URL>
  /** Who came back. `answer` is our callback's address with what the provider appended. */
  handleCallback(answer: URL, proof: FlowProof): Promise<{ person: Person; tokens: ProviderTokens }>
  /** Who an ID token is about that a client got by itself; missing where there are none. */
  fromIdToken?(proof: IdTokenProof): Promise<Person>
}

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
