import { z } from 'zod'
import { allOrNone, boolean, type Env, listOf, oneOf, wholeNumber } from './env.ts'

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
const SYMBOLS = `!@#$%^&*()_+-=[]{};'\\:"|<>?,./\`~`

/** Sets of characters of which a password must hold one each, under the names that the Supabase CLI gives them. */
const REQUIREMENTS = {
  letters_digits: [LOWER + UPPER, DIGITS],
  lower_upper_letters_digits: [LOWER, UPPER, DIGITS],
  lower_upper_letters_digits_symbols: [LOWER, UPPER, DIGITS, SYMBOLS],
} as const

/** How accounts, sessions and passwords work. */
export const authVariables = {
  AUTH_DISABLE_SIGNUP: boolean.optional(),
  AUTH_AUTOCONFIRM: boolean.default(false),
  AUTH_REDIRECT_URLS: listOf(
    /^[a-z][a-z0-9+.-]*:\/\/\S+$/i,
    'must list addresses such as https://example.org/** with commas between them',
  ).default([]),
  AUTH_JWT_EXPIRY: wholeNumber({ from: 1, to: 604_800 }).default(3600),
  AUTH_EMAIL_INTERVAL: wholeNumber({ to: 86_400 }).default(60),
  AUTH_RATE_LIMIT_EMAIL_SENT: wholeNumber({ from: 1 }).default(300),
  AUTH_RATE_LIMIT_SMS_SENT: wholeNumber({ from: 1 }).default(60),
  AUTH_RATE_LIMITS: boolean.default(true),
  AUTH_PASSWORD_REQUIREMENTS: oneOf([
    'letters_digits',
    'lower_upper_letters_digits',
    'lower_upper_letters_digits_symbols',
  ]).optional(),
  AUTH_PASSWORD_LEAK_CHECK: boolean.default(true),
  AUTH_REAUTHENTICATION: boolean.default(false),
  AUTH_SESSION_TIMEBOX: wholeNumber({ from: 1 }).optional(),
  AUTH_SESSION_INACTIVITY: wholeNumber({ from: 1 }).optional(),
  AUTH_SIGNING_KEYS: z.string().optional(),
  AUTH_ANONYMOUS: boolean.default(false),
  AUTH_MANUAL_LINKING: boolean.default(true),
  AUTH_SAML: boolean.default(false),
  AUTH_SAML_ALLOW_IDP_INITIATED: boolean.default(false),
}

const AuthEnvironment = z.object({ ...authVariables, EARLY_ACCESS: z.boolean() })
type AuthEnvironment = z.infer<typeof AuthEnvironment>

export const authConfig = (env: AuthEnvironment) => ({
  disableSignup: env.AUTH_DISABLE_SIGNUP ?? env.EARLY_ACCESS,
  autoconfirm: env.AUTH_AUTOCONFIRM,
  /** Beside the site itself: exact addresses, or patterns with * and **. */
  redirectUrls: env.AUTH_REDIRECT_URLS,
  jwtExpirySeconds: env.AUTH_JWT_EXPIRY,
  /** The least time between two mails of a kind to one user. */
  emailIntervalSeconds: env.AUTH_EMAIL_INTERVAL,
  /** How many mails and text messages the whole installation sends in an hour. */
  emailsPerHour: env.AUTH_RATE_LIMIT_EMAIL_SENT,
  smsPerHour: env.AUTH_RATE_LIMIT_SMS_SENT,
  rateLimits: env.AUTH_RATE_LIMITS,
  password: {
    minLength: 8,
    refuseLeaked: env.AUTH_PASSWORD_LEAK_CHECK,
    mustContain: env.AUTH_PASSWORD_REQUIREMENTS ? REQUIREMENTS[env.AUTH_PASSWORD_REQUIREMENTS] : [],
  },
  /** A new password then needs a code that was mailed, once the session is a day old. */
  reauthenticate: env.AUTH_REAUTHENTICATION,
  /** How long a session lasts at most, and without being used; undefined: for ever. */
  sessions: {
    timeBoxSeconds: env.AUTH_SESSION_TIMEBOX,
    inactivitySeconds: env.AUTH_SESSION_INACTIVITY,
  },
  /** A file with private keys (JWK) of the owner's own, in place of those in the database. */
  signingKeysFile: env.AUTH_SIGNING_KEYS,
  anonymous: env.AUTH_ANONYMOUS,
  manualLinking: env.AUTH_MANUAL_LINKING,
  /** Single sign-on with identity providers that an owner adds over /admin/sso/providers. */
  saml: env.AUTH_SAML,
  samlIdpInitiated: env.AUTH_SAML_ALLOW_IDP_INITIATED,
})

/** A service that tells people from robots at sign-up and sign-in. */
export const captchaVariables = {
  AUTH_CAPTCHA_PROVIDER: oneOf(['turnstile', 'hcaptcha']).optional(),
  AUTH_CAPTCHA_SECRET: z.string().optional(),
  AUTH_CAPTCHA_SITEKEY: z.string().optional(),
}

const CaptchaEnvironment = z.object(captchaVariables)
type CaptchaEnvironment = z.infer<typeof CaptchaEnvironment>

export const captchaContradictions = (given: Env): string[] => allOrNone(given, Object.keys(captchaVariables))

/** undefined: no captcha is asked for. */
export function captchaConfig(env: CaptchaEnvironment) {
  const { AUTH_CAPTCHA_PROVIDER: provider, AUTH_CAPTCHA_SECRET: secret, AUTH_CAPTCHA_SITEKEY: siteKey } = env
  return provider && secret && siteKey ? { provider, secret, siteKey } : undefined
}

/** Providers whose addresses are known; every other one is OpenID Connect, found by its issuer. */
const WELL_KNOWN = ['google', 'apple', 'azure', 'github', 'facebook']

/** Ways in of our own: a provider of that name could pass for them. */
const OWN = ['anonymous', 'email', 'passkey', 'phone', 'saml', 'sso', 'web3']
/** Secrets and codes travel to it: without TLS only within this machine. */
const ADDRESS = /^(https:\/\/[^\s/]|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$))/

/** Somebody who vouches for who a user is, by OAuth or OpenID Connect. */
interface Provider {
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
