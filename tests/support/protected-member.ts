import { GoTrueClient } from '@supabase/auth-js'
import { Secret, TOTP } from 'otpauth'
import type { Account } from './members.ts'
import type { ServerProcess } from './server-process.ts'

/**
 * What an authenticator app shows. A code counts once, and none before it afterwards; the service allows for a clock
 * that is one step off, so that three codes work within one half-minute: those of steps -1, 0 and 1.
 */
export const codeOf = (secret: string, step: -1 | 0 | 1): string =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({
    timestamp: Date.now() + step * 30_000,
  })

/** An official client of the running service, without a memory. */
export const memberClient = ({ url, keys }: ServerProcess) =>
  new GoTrueClient({
    url: `${url}/auth/v1`,
    headers: { apikey: keys.publishable },
    persistSession: false,
    autoRefreshToken: false,
    experimental: { recoveryCodes: true },
  })

/** Protects an account by an authenticator app, with step -1, and by recovery codes. Returns what its owner keeps. */
export async function protect(site: ServerProcess, { email, password }: Account) {
  const client = memberClient(site)
  const { error } = await client.signInWithPassword({ email, password })
  if (error) throw error
  const enrolled = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'My phone' })
  if (enrolled.error) throw enrolled.error
  const { id: factorId, totp } = enrolled.data
  const proved = await client.mfa.challengeAndVerify({ factorId, code: codeOf(totp.secret, -1) })
  if (proved.error) throw proved.error
  const made = await client.mfa.recoveryCodes.generate()
  if (made.error) throw made.error
  return { secret: totp.secret, codes: made.data.codes, factorId, session: proved.data }
}
