import { createHmac } from 'node:crypto'
import * as oauth from 'openid-client'
import { outboundFetch } from '#server/http/outbound-fetch.ts'
import { AuthError, ProviderRefused, providerErrors } from '../errors.ts'
import { type Claims, type IdentityProvider, type ProviderSettings, readPerson } from './provider.ts'

/** A provider with plain OAuth 2, which says who somebody is through an interface of its own. */
interface Dialect {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  scopes: readonly string[]
  /** What the account's own interface says, in OpenID Connect's words. */
  claimsOf(ask: Ask, accessToken: string): Promise<Claims>
}

/** Asks the provider in the person's name. Errors: when it does not answer with JSON and 200. */
type Ask = (address: string, parameters?: Record<string, string>) => Promise<Claims | Claims[]>

interface Options {
  name: string
  /** Its address without a slash at the end. */
  settings: ProviderSettings
  redirectUri: string
}

/** GitHub and Facebook. The library checks state, issuer and the code's PKCE proof, as with the others. */
export function oauth2Provider({ name, settings, redirectUri }: Options): IdentityProvider {
  const dialect = name === 'github' ? github(settings) : facebook(settings)
  const config = new oauth.Configuration(
    {
      issuer: dialect.issuer,
      authorization_endpoint: dialect.authorizationEndpoint,
      token_endpoint: dialect.tokenEndpoint,
    },
    settings.clientId,
    settings.secret,
    oauth.ClientSecretPost(settings.secret),
  )
  config[oauth.customFetch] = outboundFetch as oauth.CustomFetch
  if (dialect.tokenEndpoint.startsWith('http:')) oauth.allowInsecureRequests(config)
  return {
    name,
    async authorizationUrl({ proof, scopes, parameters }) {
      return oauth.buildAuthorizationUrl(config, {
        ...parameters,
        redirect_uri: redirectUri,
        scope: [...new Set([...dialect.scopes, ...scopes])].join(' '),
        state: proof.state,
        code_challenge: await oauth.calculatePKCECodeChallenge(proof.verifier),
        code_challenge_method: 'S256',
      })
    },
    async handleCallback(answer, { state, verifier }) {
      try {
        const checks = { expectedState: state, pkceCodeVerifier: verifier }
        const tokens = await oauth.authorizationCodeGrant(config, answer, checks)
        const claims = await dialect.claimsOf(askWith(tokens.access_token), tokens.access_token)
        const isVerified = () => claims.email_verified === true
        const person = readPerson({ issuer: dialect.issuer, claims, isVerified })
        if (!person) throw providerErrors.nobody(name)
        return {
          person,
          tokens: { accessToken: tokens.access_token, refreshToken: tokens.refresh_token },
        }
      } catch (error) {
        throw asProviderError(name, error)
      }
    },
  }
}

const askWith =
  (accessToken: string): Ask =>
  async (address, parameters = {}) => {
    const url = new URL(address)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    const headers = {
      authorization: `Bearer ${accessToken}`,
      accept: 'application/json',
      'user-agent': 'site',
    }
    const response = await outboundFetch(url, { headers })
    if (!response.ok) throw new Error(`the provider's interface answered ${response.status}`)
    return (await response.json()) as Claims | Claims[]
  }

/** GitHub, or a GitHub of the owner's own at `url`. Its addresses stand in a list of their own. */
function github({ url }: ProviderSettings): Dialect {
  const home = url ?? 'https://github.com'
  const api = url ? `${url}/api/v3` : 'https://api.github.com'
  return {
    issuer: url ?? 'https://github.com/login/oauth',
    authorizationEndpoint: `${home}/login/oauth/authorize`,
    tokenEndpoint: `${home}/login/oauth/access_token`,
    scopes: ['user:email'],
    async claimsOf(ask) {
      const account = (await ask(`${api}/user`)) as Claims
      const addresses = await ask(`${api}/user/emails`)
      return {
        sub: account.id,
        name: account.name,
        picture: account.avatar_url,
        preferred_username: account.login,
        ...bestOf(Array.isArray(addresses) ? addresses : []),
      }
    },
  }
}

/** The primary address if it is verified, else any verified one, else whichever is first. */
function bestOf(addresses: readonly Claims[]): Claims {
  const verified = addresses.filter((address) => address.verified === true)
  const best = verified.find((address) => address.primary === true) ?? verified[0] ?? addresses[0]
  return best ? { email: best.email, email_verified: best.verified === true } : {}
}

const FIELDS = 'id,name,email,picture.type(large)'

/** Facebook. It tells only addresses that it has confirmed, so those count as verified (as in GoTrue). */
function facebook({ url, secret }: ProviderSettings): Dialect {
  const api = url ?? 'https://graph.facebook.com'
  return {
    issuer: url ?? 'https://www.facebook.com',
    authorizationEndpoint: `${url ?? 'https://www.facebook.com'}/dialog/oauth`,
    tokenEndpoint: `${api}/oauth/access_token`,
    scopes: ['email'],
    async claimsOf(ask, accessToken) {
      // Proves that the question comes from the app itself, so that a stolen token is of no use elsewhere.
      const proof = createHmac('sha256', secret).update(accessToken).digest('hex')
      const account = (await ask(`${api}/me`, { fields: FIELDS, appsecret_proof: proof })) as Claims
      return {
        sub: account.id,
        name: account.name,
        email: account.email,
        email_verified: account.email !== undefined,
        picture: pictureOf(account.picture),
      }
    },
  }
}

const pictureOf = (picture: unknown): unknown =>
  (picture as { data?: { url?: unknown } } | undefined)?.data?.url

const MAX_DESCRIPTION = 200

/** What the library found wrong with a provider's answer, in our words. The cause goes to the log only. */
export function asProviderError(name: string, error: unknown): AuthError {
  if (error instanceof AuthError) return error
  if (error instanceof oauth.AuthorizationResponseError) {
    return new ProviderRefused(error.error, shown(error.error_description) ?? `${name} refused the sign-in`)
  }
  if (error instanceof oauth.ResponseBodyError) return providerErrors.refusedCode(name, error)
  if (!(error instanceof oauth.ClientError) || isOutage(error)) return providerErrors.unavailable(name, error)
  const about = complaintOf(error)
  if (/"nonce"/.test(about)) return providerErrors.badNonce(name)
  if (/"iss"|issuer/.test(about)) return providerErrors.mixedUp(name)
  return providerErrors.badAnswer(name, error)
}

/** Words of the provider's that people may read: plain text of a sensible length. */
const shown = (description: string | undefined): string | undefined =>
  description?.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_DESCRIPTION) || undefined

/** No answer, or none that could be read; what the library has looked at and refused has a code of its own. */
const isOutage = ({ code }: oauth.ClientError): boolean =>
  code === undefined || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM'

/** The library's sentence, or the one behind it. */
const complaintOf = ({ message, cause }: oauth.ClientError): string =>
  `${message} ${cause instanceof Error ? cause.message : ''}`
