import { samlErrors } from '../errors.ts'
import { text } from '../oauth/person.ts'
import type { Person } from '../oauth/port.ts'
import { email as emailField } from '../request-body.ts'
import type { Metadata } from '../users/user.ts'
import type { Assertion } from './assertion.ts'
import type { AttributeMapping } from './repository.ts'

/** Attributes that hold an address, in the order of trust (GoTrue's list). */
const EMAIL_NAMES = [
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/claims/EmailAddress',
  'mail',
  'email',
]
const ID_NAMES = [
  'urn:oasis:names:tc:SAML:attribute:subject-id',
  'urn:oasis:names:tc:SAML:attribute:pairwise-id',
]
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const MAX_SUBJECT = 255
const MAX_VALUES = 100

/**
 * The assertion's person. The organisation vouches for the address, among its own people only.
 * Errors: saml_assertion_no_user_id, saml_assertion_no_email.
 */
export function personOf(assertion: Assertion, entityId: string, { keys = {} }: AttributeMapping): Person {
  const nameId = assertion.Subject[0]?.NameID[0]
  const lastingNameId = nameId?.$?.Format === TRANSIENT ? undefined : nameId?._
  const subject = text(valuesOf(assertion, ID_NAMES)[0] ?? lastingNameId?.trim(), MAX_SUBJECT)
  if (!subject) throw samlErrors.noUserId()
  const claims = mapped(assertion, keys)
  const email = [claims.email, valuesOf(assertion, EMAIL_NAMES)[0], nameId?._]
    .map((candidate) => emailField.safeParse(candidate).data)
    .find((address) => address !== undefined)
  if (!email) throw samlErrors.noEmail()
  const { email: _, ...custom } = claims
  const name = text(custom.name ?? custom.full_name)
  const facts: Metadata = {
    iss: entityId,
    sub: subject,
    provider_id: subject,
    email,
    email_verified: true,
    phone_verified: false,
    ...(name && { name, full_name: name }),
    ...(Object.keys(custom).length > 0 && { custom_claims: custom }),
  }
  return { subject, email, emailVerified: true, facts }
}

/** Claims by the owner's mapping: the first attribute that is there, all of its values (array), or the default. */
function mapped(assertion: Assertion, keys: NonNullable<AttributeMapping['keys']>): Metadata {
  const claims: Metadata = {}
  for (const [key, rule] of Object.entries(keys)) {
    const names = [...(rule.name ? [rule.name] : []), ...(rule.names ?? [])]
    const values = valuesOf(assertion, names)
    const value = values.length === 0 ? rule.default : rule.array ? values : values[0]
    if (value !== undefined && value !== null) claims[key] = value
  }
  return claims
}

/** The values of the first of the attributes that has any; names are compared without regard to case. */
function valuesOf({ AttributeStatement: statements }: Assertion, names: readonly string[]): string[] {
  const attributes = statements.flatMap(({ Attribute }) => Attribute)
  for (const name of names.map((name) => name.toLowerCase())) {
    const found = attributes.filter(
      ({ $ }) => $.Name.toLowerCase() === name || $.FriendlyName?.toLowerCase() === name,
    )
    const values = found.flatMap(({ AttributeValue }) => AttributeValue.flatMap(({ _ }) => text(_) ?? []))
    if (values.length > 0) return values.slice(0, MAX_VALUES)
  }
  return []
}
