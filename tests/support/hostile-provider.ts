import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { startHttpServer } from './http-server.ts'
import { openIdClient } from './openid-provider.ts'

/** What the provider's token endpoint puts into its ID token, from the claims that would be right. */
export type Forge = (claims: JWTPayload, keys: { own: CryptoKey; jwk: object }) => Promise<string> | string

/** A provider that discovers well and then lies. Every answer of its token endpoint is `forge`'s. */
export async function startHostileProvider() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }
  const state: { nonce: string; forge: Forge } = { nonce: '', forge: () => '' }
  let url = ''
  const peer = await startHttpServer(async ({ path }) => {
    if (path.startsWith('/.well-known/')) return { json: discovery(url) }
    if (path === '/keys') return { json: { keys: [jwk] } }
    const right = { iss: url, sub: 'mallory', aud: openIdClient.clientId, nonce: state.nonce, iat: seconds() }
    const claims = { ...right, exp: seconds() + 60, email: 'mallory@example.org', email_verified: true }
    const idToken = await state.forge(claims, { own: privateKey, jwk })
    return { json: { access_token: 'a', token_type: 'bearer', id_token: idToken } }
  })
  url = peer.url
  return {
    ...peer,
    settings: { ...openIdClient, url },
    /** The next answers are made by `forge`, for the departure whose address is given. */
    lie(departure: URL, forge: Forge) {
      Object.assign(state, { nonce: departure.searchParams.get('nonce') ?? '', forge })
    },
  }
}

/** Signs as the provider itself would. */
export const sign = (claims: JWTPayload, key: CryptoKey, header = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'own', ...header }).sign(key)

const seconds = () => Math.floor(Date.now() / 1000)

const discovery = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  authorization_response_iss_parameter_supported: true,
})
