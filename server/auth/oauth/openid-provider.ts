import { createHash, timingSafeEqual } from 'node:crypto'
import { createRemoteJWKSet, customFetch, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { outboundFetch } from '#server/http/outbound-fetch.ts'
import { providerErrors } from '../errors.ts'
import { asProviderError } from './oauth2-provider.ts'
import {
  type Claims,
  type IdentityProvider,
  type IdTokenProof,
  type Person,
  type ProviderSettings,
  readPerson,
  saysVerified,
} from './provider.ts'

/** How a provider differs from the standard. */
export interface OpenIdDialect {
  /** The issuer when the owner names none. */
  issuer?: string
  scopes?: readonly string[]
  /** Parameters that it wants in every request. */
  parameters?: Readonly<Record<string, string>>
  isVerified?: (claims: Claims) => boolean
}

/** Discovered facts are asked for again after this time; keys are found anew by themselves. */
const DISCOVERY_LIFETIME_MS = 3_600_000

interface Options {
  name: string
  settings: ProviderSettings
  dialect: OpenIdDialect
  redirectUri: string
  now: () => number
}

/** A provider that speaks OpenID Connect, found by its issuer. */
export function openIdProvider(options: Options): IdentityProvider {
  const { name, settings, dialect, redirectUri, now } = options
  const { scopes = ['openid', 'email', 'profile'], isVerified = saysVerified } = dialect
  const discovered = rememberFor(DISCOVERY_LIFETIME_MS, now, async () => {
    const config = await discover(options)
    return { config, checkIdToken: createIdTokenCheck({ metadata: config.serverMetadata(), settings, now }) }
  })
  const known = () =>
    discovered().catch((cause) => {
      throw providerErrors.unavailable(name, cause)
    })
  const toPerson = (issuer: string, claims: Claims): Person => {
    const person = readPerson({ issuer, claims, isVerified })
    if (!person) throw providerErrors.nobody(name)
    return person
  }
  return {
    name,
    async authorizationUrl({ proof, scopes: further, parameters }) {
      return oidc.buildAuthorizationUrl((await known()).config, {
        ...parameters,
        ...dialect.parameters,
        redirect_uri: redirectUri,
        scope: [...new Set([...scopes, ...further])].join(' '),
        state: proof.state,
        nonce: proof.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(proof.verifier),
        code_challenge_method: 'S256',
      })
    },
    async handleCallback(answer, { state, nonce, verifier }) {
      const { config } = await known()
      try {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
        const tokens = await oidc.authorizationCodeGrant(config, answer, checks)
        const claims = await withUserInfo(config, tokens)
        return {
          person: toPerson(String(claims.iss), claims),
          tokens: { accessToken: tokens.access_token, refreshToken: tokens.refresh_token },
        }
      } catch (error) {
        throw asProviderError(name, error)
      }
    },
    async fromIdToken(proof) {
      const { checkIdToken } = await known()
      const claims = await checkIdToken(proof)
      return toPerson(String(claims.iss), claims)
    },
  }
}

async function discover({ settings, dialect }: Options): Promise<oidc.Configuration> {
  const issuer = new URL(settings.url ?? dialect.issuer ?? '')
  const [clientId = ''] = settings.clientId.split(',')
  const execute = [
    // The ID token's signature is checked although it comes over TLS.
    oidc.enableNonRepudiationChecks,
    // An owner may run a provider of their own without TLS, in the same house.
    ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
  ]
  const config = await oidc.discovery(issuer, clientId, settings.secret, authentication(settings.secret), {
    execute,
    [oidc.customFetch]: outboundFetch as oidc.CustomFetch,
  })
  return config
}

/** In the body, which all know, unless the provider takes it in the header only. */
const authentication = (secret: string): oidc.ClientAuth => {
  const [inBody, inHeader] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)]
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported
    const isHeaderOnly = methods?.includes('client_secret_basic') && !methods.includes('client_secret_post')
    return (isHeaderOnly ? inHeader : inBody)(server, client, body, headers)
  }
}

/** Some providers leave the address out of the ID token, and tell it when they are asked. */
async function withUserInfo(
  config: oidc.Configuration,
  tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
): Promise<Claims> {
  const claims = tokens.claims()
  if (!claims || claims.email || !config.serverMetadata().userinfo_endpoint) return { ...claims }
  return { ...(await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims }
}

/** Asks once for everybody who waits, and again when the answer is old; a failure is not remembered. */
function rememberFor<T>(ms: number, now: () => number, ask: () => Promise<T>): () => Promise<T> {
  let known: { answer: Promise<T>; until: number } | undefined
  return () => {
    if (known && now() < known.until) return known.answer
    const asked = { answer: ask(), until: now() + ms }
    known = asked
    asked.answer.catch(() => {
      if (known === asked) known = undefined
    })
    return asked.answer
  }
}

/** Asymmetric ones only: with HS256 the public key would do as a secret, and "none" needs no key at all. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const CLOCK_TOLERANCE_SECONDS = 10
const GOOGLE = 'https://accounts.google.com'
const TENANT = '{tenantid}'

interface CheckOptions {
  metadata: oidc.ServerMetadata
  settings: ProviderSettings
  now: () => number
}

/** Checks ID tokens that clients got by themselves (OpenID Connect Core 3.1.3.7). Errors: in OAuth's form. */
function createIdTokenCheck({ metadata, settings, now }: CheckOptions) {
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
    }).catch(refuseToken)
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

const refuseToken = (error: unknown): never => {
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
