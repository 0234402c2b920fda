import type { SAML, SamlConfig } from '@node-saml/node-saml'
import type { Database, Transaction } from '#server/database/port.ts'
import { type Sealing, sealedAs } from '#server/tokens/encryption.ts'
import type { Endpoint } from '../context.ts'
import { samlErrors } from '../errors.ts'
import type { IdentityProviderFacts } from './metadata.ts'

/** Clocks of others may be off by this much. */
export const CLOCK_SKEW_MS = 60_000

/** What we are called, and where responses go: GoTrue's addresses, from the owner's configuration only. */
export const ourAddresses = (issuer: string) => ({
  entityId: `${issuer}/sso/saml/metadata`,
  acs: `${issuer}/sso/saml/acs`,
})

interface Relation {
  /** `<api address>/auth/v1` */
  issuer: string
  idp: IdentityProviderFacts
  nameIdFormat: string | null
  /** Of the request that is being made. */
  requestId?: string
}

/** Our half of single sign-on with one identity provider. */
export async function serviceProvider({ issuer, idp, nameIdFormat, requestId }: Relation): Promise<SAML> {
  const { entityId, acs } = ourAddresses(issuer)
  const config: SamlConfig = {
    issuer: entityId,
    callbackUrl: acs,
    audience: entityId,
    entryPoint: idp.entryPoint,
    idpCert: idp.certificates,
    idpIssuer: idp.entityId,
    identifierFormat: nameIdFormat,
    wantAssertionsSigned: true,
    // Only the assertion is believed; who signs the envelope too loses nothing.
    wantAuthnResponseSigned: false,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    // InResponseTo is looked at in what is signed, against the request of this very browser (assertion.ts).
    ...(requestId && { generateUniqueId: () => requestId }),
  }
  const { SAML } = await import('@node-saml/node-saml')
  return new SAML(config)
}

const MAX_AGE = 600

/** GET /sso/saml/metadata: what an organisation's administrator feeds to their identity provider. */
export const samlMetadata: Endpoint = async (c) => {
  const { settings, db, sealing } = c.var.services
  if (!settings.saml) throw samlErrors.disabled()
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml')
  const { entityId, acs } = ourAddresses(settings.issuer)
  const key = await decryptionKey({ db, sealing, issuer: settings.issuer })
  const xml = generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl: acs,
    wantAssertionsSigned: true,
    identifierFormat: null,
    decryptionPvk: key.privateKey,
    decryptionCert: key.certificate,
  })
  c.header('Content-Type', 'application/xml; charset=utf-8')
  c.header('Cache-Control', `public, max-age=${MAX_AGE}`)
  if (c.req.query('download') === 'true')
    c.header('Content-Disposition', 'attachment; filename="metadata.xml"')
  return c.body(xml)
}

/** Our half of encryption, both as PEM: identity providers get the certificate with our metadata. */
export interface DecryptionKey {
  privateKey: string
  certificate: string
}

const PLACE = sealedAs('platform.saml_keys.private_key', 'only')
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 3072,
  publicExponent: new Uint8Array([1, 0, 1]),
}
/** Nobody checks when it ends: identity providers take it from our metadata, which they trust or not. */
const YEARS = 30

/** The one key pair of the installation, made when it is first asked for. Errors: UnsealFailed, DatabaseUnavailable. */
export async function decryptionKey({
  db,
  sealing,
  issuer,
}: {
  db: Database
  sealing: Sealing
  issuer: string
}): Promise<DecryptionKey> {
  const stored = await db.asOwner('SAML key', readKey)
  if (stored) return unsealed(sealing, stored)
  const made = await makeKey(new URL(issuer).hostname)
  const kept = await db.asOwner('SAML key', async (tx) => {
    await tx.query(
      'insert into platform.saml_keys (private_key, certificate) values ($1, $2) on conflict do nothing',
      [sealing.seal(made.privateKey, PLACE), made.certificate],
    )
    return readKey(tx)
  })
  return kept ? unsealed(sealing, kept) : made
}

interface StoredKey {
  private_key: string
  certificate: string
}

const readKey = async (tx: Transaction) =>
  (await tx.query<StoredKey>('select private_key, certificate from platform.saml_keys')).rows[0]

const unsealed = (sealing: Sealing, stored: StoredKey): DecryptionKey => ({
  privateKey: sealing.unseal(stored.private_key, PLACE),
  certificate: stored.certificate,
})

async function makeKey(host: string): Promise<DecryptionKey> {
  // Loaded once in the life of an installation; the first is what the second is built on.
  await import('reflect-metadata')
  const { X509CertificateGenerator, KeyUsageFlags, KeyUsagesExtension, PemConverter } = await import(
    '@peculiar/x509'
  )
  const keys = await crypto.subtle.generateKey(RSA, true, ['sign', 'verify'])
  const now = Date.now()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [host] }],
    notBefore: new Date(now - 86_400_000),
    notAfter: new Date(now + YEARS * 365 * 86_400_000),
    signingAlgorithm: RSA,
    keys,
    extensions: [new KeyUsagesExtension(KeyUsageFlags.keyEncipherment, true)],
  })
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    privateKey: PemConverter.encode(pkcs8, 'PRIVATE KEY'),
    certificate: certificate.toString('pem'),
  }
}

const ALLOWED: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
])

/**
 * A response that holds what was in the encrypted assertion of this one and nothing else, so that everything which is
 * asked of an open assertion is asked of it too. undefined: there is no encrypted assertion.
 * Errors: validation_failed for more than one assertion and for weak algorithms; whatever decryption throws.
 */
export async function decryptedResponse(
  xml: string,
  key: () => Promise<DecryptionKey>,
): Promise<string | undefined> {
  if (!xml.includes('EncryptedAssertion')) return undefined
  const { decryptXml, parseDomFromString, xpath } = await import('@node-saml/node-saml/lib/xml.js')
  const document = await parseDomFromString(xml)
  const inResponse = (name: string) =>
    xpath.selectElements(document, `/*[local-name()='Response']/*[local-name()='${name}']`)
  const [encrypted, ...others] = inResponse('EncryptedAssertion')
  if (!encrypted) return undefined
  if (others.length + inResponse('Assertion').length > 0)
    throw samlErrors.badResponse('it holds more than one assertion')
  const algorithms = xpath.selectAttributes(
    encrypted,
    ".//*[local-name()='EncryptionMethod']/@*[local-name()='Algorithm']",
  )
  // RSA with PKCS #1 v1.5 and 3DES can be broken by asking often enough.
  if (!algorithms.every(({ value }) => ALLOWED.has(value)))
    throw samlErrors.badResponse('it is encrypted by an algorithm that is too weak')
  const assertion = await decryptXml(encrypted.toString(), (await key()).privateKey)
  // Without a namespace of its own: signatures that take in what is around them stay valid.
  return `<Response>${assertion.replace(/^\s*<\?xml[^>]*\?>/, '')}</Response>`
}
