import { createHmac } from 'node:crypto'
import type { OAuthDialect } from './oauth.ts'
import type { Claims } from './provider.ts'

const FIELDS = 'id,name,email,picture.type(large)'

/** Facebook. It tells only addresses that it has confirmed, so those count as verified (as in GoTrue). */
export function facebook(url: string | undefined, secret: string): OAuthDialect {
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
