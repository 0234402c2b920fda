import * as oidc from 'openid-client'
import { providerErrors } from '../errors.ts'
import type { ProviderSettings } from '../settings.ts'
import { asProviderError } from './answers.ts'
import { createIdTokenCheck } from './id-tokens.ts'
import { outboundFetch } from './outbound-fetch.ts'
import { type Claims, type IdentityProvider, type Person, readPerson, saysVerified } from './provider.ts'

/** How a provider differs from the standard. */
export interface Dialect {
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
  dialect: Dialect
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
