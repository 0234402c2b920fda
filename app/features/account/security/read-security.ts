import type { PasskeyListItem, UserIdentity } from '@supabase/auth-js'
import { findSignInWays, noOtherWays, type SignInWays } from '#app/features/login/sign-in-methods.ts'
import { factorsOf } from '#app/session/client/current-user-sync.ts'
import type { OwnSession } from '#app/session/client/library.ts'
import type { SecondFactor } from '#app/session/current-user.ts'
import { openSession } from '#app/session/session.ts'
import type { SiteSettings } from '#app/session/site.ts'
import { granted } from '../kind-words.ts'

/** Everything by which an account is entered and protected. */
export interface Security {
  email: string
  /** An address that still waits for its confirmation; empty when none does. */
  newEmail: string
  identities: readonly UserIdentity[]
  factors: readonly SecondFactor[]
  /** How many recovery codes are left; null when there are none yet. */
  codesLeft: number | null
  /** Null where the service has no passkeys. */
  passkeys: readonly PasskeyListItem[] | null
  /** Null where the database cannot tell. */
  sessions: readonly OwnSession[] | null
  ways: SignInWays
}

/** Asks for all of it at once; what a service does not have is left out. Errors: the account cannot be read. */
export async function readSecurity(settings: SiteSettings): Promise<Security> {
  const { client, library } = await openSession()
  const api = { url: settings.apiUrl, fetch: window.fetch.bind(window) }
  const [account, ways, sessions, passkeys] = await Promise.all([
    client.getUser(),
    findSignInWays({ settings, api }),
    library.rpc('own_sessions'),
    client.passkey.list(),
  ])
  const { user } = granted(account)
  const factors = factorsOf(user)
  const hasCodes = factors.some(({ type }) => type === 'recovery_code')
  const codes = hasCodes ? await client.mfa.recoveryCodes.getStatus() : null
  return {
    email: user.email ?? '',
    newEmail: user.new_email ?? '',
    identities: user.identities ?? [],
    factors,
    codesLeft: codes?.data?.remaining ?? null,
    passkeys: passkeys.data,
    sessions: sessions.data,
    ways: ways ?? noOtherWays,
  }
}
