import * as oauth from 'openid-client'
import { providerErrors } from '../errors.ts'
import type { ProviderSettings } from '../settings.ts'
import { asProviderError } from './answers.ts'
import { outboundFetch } from './outbound-fetch.ts'
import { type Claims, type IdentityProvider, readPerson } from './provider.ts'

/** A provider with plain OAuth 2, which says who somebody is through an interface of its own. */
export interface OAuthDialect {
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
  settings: ProviderSettings
  dialect: OAuthDialect
  redirectUri: string
}

/** GitHub and Facebook. The library checks state, issuer and the code's PKCE proof, as with the others. */
export function oauthProvider({ name, settings, dialect, redirectUri }: Options): IdentityProvider {
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
