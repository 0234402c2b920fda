import { z } from 'zod'
import { clientOf } from './client.ts'
import type { AuthContext } from './context.ts'
import { authErrors } from './errors.ts'
import { readBody } from './read-body.ts'
import type { CaptchaSettings } from './settings.ts'

const addresses = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
} as const

const PATIENCE_MS = 10_000
const MAX_TOKEN = 10_000

const Body = z.object({
  gotrue_meta_security: z.object({ captcha_token: z.string().max(MAX_TOKEN).nullish() }).nullish(),
})
const Answer = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) })

/**
 * Asks the provider whether the visitor's token is good; both speak the same protocol.
 * Errors: captcha_failed; unexpected_failure when the provider does not answer.
 */
export async function checkCaptcha(settings: CaptchaSettings, c: AuthContext): Promise<void> {
  const { gotrue_meta_security } = await readBody(c, Body)
  const token = gotrue_meta_security?.captcha_token
  if (!token) throw authErrors.captchaFailed('no captcha_token found')
  const answer = await ask(settings, token, clientOf(c).address).catch((cause) => {
    throw authErrors.captchaUnavailable(cause)
  })
  if (!answer.success) throw authErrors.captchaFailed(answer['error-codes'].join(', ') || 'not solved')
}

async function ask(
  { provider, secret, verifyUrl }: CaptchaSettings,
  token: string,
  address: string | undefined,
) {
  const body = new URLSearchParams({ secret, response: token, ...(address && { remoteip: address }) })
  const response = await fetch(verifyUrl ?? addresses[provider], {
    method: 'POST',
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  return Answer.parse(await response.json())
}
