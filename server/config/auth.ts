import { z } from 'zod'
import { boolean, listOf, oneOf, wholeNumber } from './fields.ts'

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
  AUTH_RATE_LIMITS: boolean.default(true),
  AUTH_PASSWORD_REQUIREMENTS: oneOf([
    'letters_digits',
    'lower_upper_letters_digits',
    'lower_upper_letters_digits_symbols',
  ]).optional(),
  AUTH_ANONYMOUS: boolean.default(false),
  AUTH_MANUAL_LINKING: boolean.default(true),
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
  rateLimits: env.AUTH_RATE_LIMITS,
  password: { minLength: 8, requirements: env.AUTH_PASSWORD_REQUIREMENTS },
  anonymous: env.AUTH_ANONYMOUS,
  manualLinking: env.AUTH_MANUAL_LINKING,
})
