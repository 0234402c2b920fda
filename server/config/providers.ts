import { allOrNone, type Env } from './env.ts'

/** Providers whose addresses are known; every other one is OpenID Connect, found by its issuer. */
const WELL_KNOWN = ['google', 'apple', 'azure', 'github', 'facebook']

/** Ways in of our own: a provider of that name could pass for them. */
const OWN = ['anonymous', 'email', 'passkey', 'phone', 'saml', 'sso', 'web3']
/** Secrets and codes travel to it: without TLS only within this machine. */
const ADDRESS = /^(https:\/\/[^\s/]|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$))/

/** Somebody who vouches for who a user is, by OAuth or OpenID Connect. */
export interface Provider {
  clientId: string
  secret: string
  /**
   * The issuer, to the letter; for well-known providers only where it is not the usual one (an own GitHub, one tenant
   * of Azure).
   */
  url: string | undefined
}

/** The provider that a variable `AUTH_<PROVIDER>_CLIENT_ID`, `_SECRET` or `_URL` is about, e.g. GOOGLE. */
export const providerOf = (variable: string): string | undefined =>
  /^AUTH_([A-Z][A-Z0-9_]*?)_(CLIENT_ID|SECRET|URL)$/.exec(variable)?.[1]

const providersIn = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => providerOf(name) ?? [])),
]

/** What is wrong with the providers among the given variables; `names` are those that are about a provider. */
export const providerProblems = (given: Env, names: readonly string[]): string[] =>
  providersIn(names).flatMap((provider) => {
    const url = `AUTH_${provider}_URL`
    const missing = allOrNone(given, [
      `AUTH_${provider}_CLIENT_ID`,
      `AUTH_${provider}_SECRET`,
      ...(url in given || !WELL_KNOWN.includes(provider.toLowerCase()) ? [url] : []),
    ])
    const isWrong = url in given && !(ADDRESS.test(given[url] ?? '') && URL.canParse(given[url] ?? ''))
    const isOwn = OWN.includes(provider.toLowerCase())
    return [
      ...missing,
      ...(isWrong ? [`${url} must be an https:// address (http:// only on this machine)`] : []),
      ...(isOwn
        ? [`AUTH_${provider}_CLIENT_ID names no provider: ${provider.toLowerCase()} is a way in of our own`]
        : []),
    ]
  })

/** Providers by name, as clients ask for them: lower case. */
export const providerConfig = (given: Env, names: readonly string[]): ReadonlyMap<string, Provider> =>
  new Map(
    providersIn(names).map((provider) => {
      const value = (part: string) => given[`AUTH_${provider}_${part}`]
      const own = { clientId: value('CLIENT_ID') ?? '', secret: value('SECRET') ?? '', url: value('URL') }
      return [provider.toLowerCase(), own]
    }),
  )
