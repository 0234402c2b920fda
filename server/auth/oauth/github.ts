import type { OAuthDialect } from './oauth.ts'
import type { Claims } from './provider.ts'

/** GitHub, or a GitHub of the owner's own at `url`. Its addresses stand in a list of their own. */
export function github(url: string | undefined): OAuthDialect {
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
