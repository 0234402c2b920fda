import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client } from '../client.ts'
import { onceMoreOnConflict } from '../conflicts.ts'
import { withSendCooldown } from '../emails.ts'
import { authErrors } from '../errors.ts'
import { enqueueLinkEmail } from '../link-email.ts'
import type { Challenge } from '../pkce.ts'
import type { Services } from '../services.ts'
import { confirmEmail, createAccount } from '../users/accounts.ts'
import { findUser } from '../users/repository.ts'
import type { Metadata } from '../users/rows.ts'

interface SignInByMail {
  email: string
  createUser: boolean
  data: Metadata | undefined
  client: Client
  challenge: Challenge | undefined
  redirectTo: string
}

/** Mails a link and a code that sign in. Errors: otp_disabled and signup_disabled for unknown addresses. */
export const mailSignInLink = (services: Services, wish: SignInByMail): Promise<void> =>
  withSendCooldown(services, { kind: 'magiclink', email: wish.email }, () =>
    onceMoreOnConflict(() => services.db.asOwner('sign-in by mail', (tx) => prepare(tx, services, wish))),
  )

async function prepare(tx: Transaction, services: Services, wish: SignInByMail): Promise<void> {
  const { email, client, challenge, redirectTo } = wish
  const known = await findUser(tx, { email }, { lock: true })
  const user = known ?? (await newcomer(tx, services, wish))
  // A new account is confirmed by its first link; one that waits unconfirmed may hold somebody else's password.
  const type = known || services.settings.autoconfirm ? 'magiclink' : 'signup'
  await enqueueLinkEmail(tx, services, { user, email, type, redirectTo, challenge })
  const action = known ? 'user_recovery_requested' : 'user_confirmation_requested'
  await audit(tx, { action, actor: user, client, traits: { provider: 'email' } })
}

async function newcomer(
  tx: Transaction,
  { settings, now }: Services,
  { email, createUser, data }: SignInByMail,
) {
  if (!createUser) throw authErrors.otpDisabled()
  if (settings.disableSignup) throw authErrors.signupDisabled()
  const at = new Date(now()).toISOString()
  const user = await createAccount(tx, { email, data, at })
  return settings.autoconfirm ? confirmEmail(tx, user, at) : user
}
