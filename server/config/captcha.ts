import { z } from 'zod'
import { oneOf } from './fields.ts'
import { allOrNone, type Given } from './given.ts'

/** A service that tells people from robots at sign-up and sign-in. */
export const captchaVariables = {
  AUTH_CAPTCHA_PROVIDER: oneOf(['turnstile', 'hcaptcha']).optional(),
  AUTH_CAPTCHA_SECRET: z.string().optional(),
  AUTH_CAPTCHA_SITEKEY: z.string().optional(),
}

const CaptchaEnvironment = z.object(captchaVariables)
type CaptchaEnvironment = z.infer<typeof CaptchaEnvironment>

export const captchaContradictions = (given: Given): string[] =>
  allOrNone(given, Object.keys(captchaVariables))

/** undefined: no captcha is asked for. */
export function captchaConfig(env: CaptchaEnvironment) {
  const { AUTH_CAPTCHA_PROVIDER: provider, AUTH_CAPTCHA_SECRET: secret, AUTH_CAPTCHA_SITEKEY: siteKey } = env
  return provider && secret && siteKey ? { provider, secret, siteKey } : undefined
}
