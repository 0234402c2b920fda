import { z } from 'zod'
import { AuthError, samlErrors } from '../errors.ts'
import { type Person, text } from '../oauth/provider.ts'
import { email as emailField } from '../request-body.ts'
import type { Metadata } from '../users/user.ts'
import { type IdentityProviderFacts, mustBePlainXml, UnsafeXml } from './metadata.ts'
import type { AttributeMapping } from './providers.ts'
import {
  CLOCK_SKEW_MS,
  type DecryptionKey,
  decryptedResponse,
  ourAddresses,
  serviceProvider,
} from './service-provider.ts'

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
/** SHA-1 can be forged; HMAC would take the certificate, which is public, for a secret. */
const WEAK = /Algorithm\s*=\s*["'][^"']*(sha1|md5|hmac)/i

/** Far more than people have groups. Canonical forms of deep trees take long, and anybody may post one. */
const MAX_TAGS = 2000

/** The parser gives an element without anything in it as an empty text. */
const element = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' ? { _: value } : value), schema)

const Text = element(z.object({ _: z.string().optional() }))
const Confirmation = z.object({
  $: z.object({ Method: z.string() }),
  SubjectConfirmationData: z
    .array(
      z.object({
        $: z.object({
          Recipient: z.string().optional(),
          InResponseTo: z.string().optional(),
          NotOnOrAfter: z.string().optional(),
        }),
      }),
    )
    .length(1),
})
const Attribute = z.object({
  $: z.object({ Name: z.string(), FriendlyName: z.string().optional() }),
  AttributeValue: z.array(Text).default([]),
})
const AttributeStatement = element(z.object({ Attribute: z.array(Attribute).default([]) }))
const NameId = z.object({ _: z.string(), $: z.object({ Format: z.string().optional() }).optional() })
const Subject = z.object({
  NameID: z.array(NameId).length(1),
  SubjectConfirmation: z.array(Confirmation).min(1),
})
const AuthnStatement = z.object({ $: z.object({ SessionNotOnOrAfter: z.string().optional() }).default({}) })
const Assertion = z.object({
  $: z.object({ ID: z.string().min(1).max(500) }),
  Issuer: z.array(z.object({ _: z.string() })).length(1),
  Subject: z.array(Subject).length(1),
  AuthnStatement: z.array(AuthnStatement).min(1),
  AttributeStatement: z.array(AttributeStatement).default([]),
})
export type Assertion = z.output<typeof Assertion>

interface Response {
  /** As it was posted: base64. */
  samlResponse: string
  /** undefined: nobody asked, the identity provider began (a setting). */
  requestId: string | undefined
  idp: IdentityProviderFacts
  issuer: string
  now: number
  /** For an assertion that is encrypted. */
  key: () => Promise<DecryptionKey>
}

/**
 * What an identity provider asserts, once it is certain that it has signed it, lately, for us, and for this request.
 * Only the signed bytes are read: nothing that is wrapped around them counts.
 * Errors: validation_failed with the reason, access_denied when the provider says so.
 */
export async function readAssertion(response: Response): Promise<Assertion> {
  const { idp, issuer } = response
  const sent = Buffer.from(response.samlResponse, 'base64').toString('utf8')
  mustBeParsable(sent)
  const decrypted = await decryptedResponse(sent, response.key).catch(refuseEncrypted)
  const xml = decrypted ?? sent
  if (decrypted !== undefined) mustBeParsable(xml)
  if (WEAK.test(xml)) throw samlErrors.badResponse('it is signed by an algorithm that is too weak')
  const sp = await serviceProvider({ issuer, idp, nameIdFormat: null })
  const container = { SAMLResponse: Buffer.from(xml).toString('base64') }
  const { profile } = await sp
    .validatePostResponseAsync(container)
    .catch(decrypted === undefined ? refuse : refuseDecrypted)
  const signed = (profile?.getAssertion?.() as { Assertion?: unknown } | undefined)?.Assertion
  const parsed = Assertion.safeParse(signed)
  if (!parsed.success) throw samlErrors.badResponse('the assertion lacks what it must have', parsed.error)
  if (parsed.data.Issuer[0]?._ !== idp.entityId)
    throw samlErrors.badResponse('the issuer is not the one that was asked')
  mustConfirm(parsed.data, response)
  return parsed.data
}

function mustBeParsable(xml: string): void {
  try {
    mustBePlainXml(xml)
  } catch (error) {
    throw samlErrors.badResponse(error instanceof UnsafeXml ? error.message : 'it cannot be read', error)
  }
  if (xml.split('<').length > MAX_TAGS) throw samlErrors.badResponse('it holds too many elements')
}

/** Web Browser SSO Profile, 4.1.4.3: bearer, sent to us, in answer to our request, still good. */
function mustConfirm({ Subject: subjects }: Assertion, { requestId, issuer, now }: Response): void {
  const data = bearerOf(subjects)
  if (!data) throw samlErrors.badResponse('it confirms no bearer')
  if (data.Recipient !== ourAddresses(issuer).acs)
    throw samlErrors.badResponse('it was sent to somebody else')
  if ((data.InResponseTo || undefined) !== requestId)
    throw samlErrors.badResponse('it answers another request')
  const end = Date.parse(data.NotOnOrAfter ?? '')
  if (!(end + CLOCK_SKEW_MS > now)) throw samlErrors.badResponse('it has expired')
}

const bearerOf = (subjects: Assertion['Subject']) =>
  subjects[0]?.SubjectConfirmation.find(({ $ }) => $.Method === BEARER)?.SubjectConfirmationData[0]?.$

/** Until when the assertion would be taken, clocks that are off included. */
export function endOfConfirmation({ Subject: subjects }: Assertion): string {
  const end = Date.parse(bearerOf(subjects)?.NotOnOrAfter ?? '')
  return new Date(end + CLOCK_SKEW_MS).toISOString()
}

/** The library's sentences, in few words. The cause goes to the log. */
function refuse(error: unknown): never {
  // The library's SamlStatusError; loading the library for its name only would be dear.
  if (error instanceof Error && 'xmlStatus' in error) throw samlErrors.refusedThere(error)
  const message = error instanceof Error ? error.message : ''
  const reason = reasons.find(([pattern]) => pattern.test(message))?.[1] ?? 'it cannot be read'
  throw reason === NOT_SIGNED ? samlErrors.notSigned(reason, error) : samlErrors.badResponse(reason, error)
}

/**
 * Of what was encrypted one sentence only: who holds a stolen assertion and changes it bit by bit must not learn whether
 * it is the padding or the signature that is wrong.
 */
function refuseDecrypted(error: unknown): never {
  const why = 'the encrypted assertion cannot be read, or is not signed by the identity provider'
  throw samlErrors.notSigned(why, error)
}

function refuseEncrypted(error: unknown): never {
  if (error instanceof AuthError) throw error
  return refuseDecrypted(error)
}

const NOT_SIGNED = 'the assertion is not signed by the identity provider'

const reasons: ReadonlyArray<readonly [pattern: RegExp, reason: string]> = [
  [/multiple assertions|more than one element/i, 'it holds more than one assertion'],
  [/signature|signed/i, NOT_SIGNED],
  [/not yet valid/i, 'it is not valid yet'],
  [/expired|too old|subject confirmation/i, 'it has expired'],
  [/audience/i, 'it is for somebody else'],
  [/missing SAML assertion|decryption/i, 'it holds no assertion that can be read'],
]

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
