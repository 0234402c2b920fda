import { networkOf } from '#server/http/client-address.ts'
import { audit } from '../audit.ts'
import type { Client, Services } from '../context.ts'
import { authErrors } from '../errors.ts'
import { startSession, tokenResponse } from '../sessions/lifecycle.ts'
import { createAccount } from '../users/accounts.ts'
import type { Metadata } from '../users/user.ts'

/** A session for somebody who stays unnamed. Errors: anonymous_provider_disabled, signup_disabled. */
export async function signUpAnonymously(
  services: Services,
  { data, client }: { data: Metadata | undefined; client: Client },
) {
  const { settings, db, limits, now } = services
  if (!settings.anonymous) throw authErrors.anonymousDisabled()
  if (settings.disableSignup) throw authErrors.signupDisabled()
  await limits.count('anonymous', networkOf(client.address))
  const issued = await db.asOwner('anonymous sign-up', async (tx) => {
    const user = await createAccount(tx, { data, at: new Date(now()).toISOString() })
    await audit(tx, { action: 'user_signedup', actor: user, client, traits: { provider: 'anonymous' } })
    return startSession(tx, services, { user, method: 'anonymous', client })
  })
  return tokenResponse(services, issued)
}
