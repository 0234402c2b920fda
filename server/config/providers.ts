import { httpAddress } from './fields.ts'
import { allOrNone, type Given } from './given.ts'

/** Providers whose addresses are known; every other one is OpenID Connect, found by its issuer. */
const WELL_KNOWN = ['google', 'apple', 'azure', 'github', 'facebook']

/** Somebody who vouches for who a user is, by OAuth or OpenID Connect. */
export interface Provider {
  clientId: string
  secret: string
  /** The issuer; for well-known providers only where it is not the usual one (an own GitHub, one tenant of Azure). */
  url: string | undefined
}

/** The provider that a variable `AUTH_<PROVIDER>_CLIENT_ID`, `_SECRET` or `_URL` is about, e.g. GOOGLE. */
export const providerOf = (variable: string): string | undefined =>
  /^AUTH_([A-Z][A-Z0-9_]*?)_(CLIENT_ID|SECRET|URL)$/.exec(variable)?.[1]

const providersIn = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => providerOf(name) ?? [])),
]

/** What is wrong with the providers among the given variables; `names` are those that are about a provider. */
export const providerProblems = (given: Given, names: readonly string[]): string[] =>
  providersIn(names).flatMap((provider) => {
    const url = `AUTH_${provider}_URL`
    const missing = allOrNone(given, [
      `AUTH_${provider}_CLIENT_ID`,
      `AUTH_${provider}_SECRET`,
      ...(url in given || !WELL_KNOWN.includes(provider.toLowerCase()) ? [url] : []),
    ])
    const wrong = url in given && !httpAddress.safeParse(given[url]).success
    return [...missing, ...(wrong ? [`${url} must be an http:// or https:// address`] : [])]
  })

/** Providers by name, as clients ask for them: lower case. */
export const providerConfig = (given: Given, names: readonly string[]): ReadonlyMap<string, Provider> =>
  new Map(
    providersIn(names).map((provider) => {
      const value = (part: string) => given[`AUTH_${provider}_${part}`]
      const url = value('URL')?.replace(/\/+$/, '')
      return [
        provider.toLowerCase(),
        { clientId: value('CLIENT_ID') ?? '', secret: value('SECRET') ?? '', url },
      ]
    }),
  )
