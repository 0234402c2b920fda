import { createHash, timingSafeEqual } from 'node:crypto'
import { createRemoteJWKSet, customFetch, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import type { ServerMetadata } from 'openid-client'
import { providerErrors } from '../errors.ts'
import type { ProviderSettings } from '../settings.ts'
import { outboundFetch } from './outbound-fetch.ts'
import type { IdTokenProof } from './provider.ts'

/** Asymmetric ones only: with HS256 the public key would do as a secret, and "none" needs no key at all. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const CLOCK_TOLERANCE_SECONDS = 10
const GOOGLE = 'https://accounts.google.com'
const TENANT = '{tenantid}'

interface Options {
  metadata: ServerMetadata
  settings: ProviderSettings
  now: () => number
}

/** Checks ID tokens that clients got by themselves (OpenID Connect Core 3.1.3.7). Errors: in OAuth's form. */
export function createIdTokenCheck({ metadata, settings, now }: Options) {
  const { jwks_uri: address } = metadata
  const keys = address && createRemoteJWKSet(new URL(address), { [customFetch]: outboundFetch })
  const clientIds = settings.clientId.split(',')
  return async ({ idToken, accessToken, nonce }: IdTokenProof): Promise<JWTPayload> => {
    if (!keys) throw providerErrors.badIdToken('its issuer publishes no keys')
    const { payload, protectedHeader } = await jwtVerify(idToken, keys, {
      algorithms: ALGORITHMS,
      issuer: issuersOf(metadata.issuer, idToken),
      audience: clientIds,
      requiredClaims: ['sub', 'iat', 'exp'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now()),
    }).catch(refuse)
    // With several audiences it must have been made for one of our clients.
    if (payload.azp !== undefined && !clientIds.includes(String(payload.azp))) throw providerErrors.audience()
    mustMatchNonce(payload.nonce, nonce)
    mustBelongTogether(accessToken, payload.at_hash, protectedHeader.alg)
    return payload
  }
}

/** Google signs with and without https; Microsoft's common address stands for the tenant that the token names. */
function issuersOf(issuer: string, idToken: string): string[] {
  if (issuer === GOOGLE) return [GOOGLE, 'accounts.google.com']
  return [issuer.includes(TENANT) ? issuer.replace(TENANT, tenantOf(idToken)) : issuer]
}

function tenantOf(idToken: string): string {
  try {
    const { tid } = decodeJwt(idToken)
    return typeof tid === 'string' && /^[\da-f-]{36}$/i.test(tid) ? tid : ''
  } catch {
    return ''
  }
}

function mustMatchNonce(claimed: unknown, given: string | undefined): void {
  if ((claimed !== undefined) !== (given !== undefined)) throw providerErrors.nonceOnOneSide()
  if (given === undefined) return
  const expected = createHash('sha256').update(given).digest('hex')
  if (!isSame(String(claimed), expected)) throw providerErrors.nonceMismatch()
}

/** `at_hash` is the left half of the access token's digest. */
function mustBelongTogether(accessToken: string | undefined, atHash: unknown, alg: string): void {
  if (accessToken === undefined || typeof atHash !== 'string') return
  const bits = /\d{3}$/.exec(alg)?.[0] ?? '512'
  const whole = createHash(`sha${bits}`).update(accessToken).digest()
  const half = whole.subarray(0, whole.length / 2).toString('base64url')
  if (!isSame(half, atHash)) throw providerErrors.accessTokenMismatch()
}

const isSame = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))

const refuse = (error: unknown): never => {
  if (error instanceof errors.JWTExpired) throw providerErrors.badIdToken('it has expired', error)
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') throw providerErrors.audience()
    throw providerErrors.badIdToken(`its claim "${error.claim}" is missing or wrong`, error)
  }
  if (error instanceof errors.JWSSignatureVerificationFailed)
    throw providerErrors.badIdToken('its signature is wrong', error)
  if (error instanceof errors.JOSEAlgNotAllowed)
    throw providerErrors.badIdToken('its algorithm is not allowed', error)
  if (error instanceof errors.JWKSNoMatchingKey)
    throw providerErrors.badIdToken('its key is none of the issuer', error)
  if (error instanceof errors.JOSEError) throw providerErrors.badIdToken('it cannot be read', error)
  throw providerErrors.unavailable('The issuer', error)
}
