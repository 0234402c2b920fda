import type { Transaction } from '#server/database/port.ts'
import { audit, unknownActor } from '../audit.ts'
import type { Client, Services } from '../context.ts'
import { enqueueLinkEmail, withSendCooldown } from '../emails.ts'
import { retryOnConflict } from '../errors.ts'
import type { Challenge } from '../pkce.ts'
import { confirmAddress, createAccount } from '../users/accounts.ts'
import { forUserOrObfuscated } from '../users/obfuscated-user.ts'
import { findUser } from '../users/queries.ts'
import type { Metadata } from '../users/user.ts'

interface SignInByMail {
  email: string
  createUser: boolean
  data: Metadata | undefined
  client: Client
  challenge: Challenge | undefined
  redirectTo: string
}

/**
 * Mails a link and a code that sign in. An unknown address that may not have an account is answered like any other: to
 * say `otp_disabled` would tell who is a member.
 */
export const sendSignInLink = (services: Services, wish: SignInByMail): Promise<void> =>
  withSendCooldown(services, { kind: 'magiclink', email: wish.email }, () =>
    retryOnConflict(() => services.db.asOwner('sign-in by mail', (tx) => prepare(tx, services, wish))),
  )

async function prepare(tx: Transaction, services: Services, wish: SignInByMail): Promise<void> {
  const { email, client, challenge, redirectTo } = wish
  const known = await findUser(tx, { email }, { lock: true })
  const isNew = !known && mayJoin(services, wish)
  const user = isNew ? await newcomer(tx, services, wish) : known
  // A new account is confirmed by its first link; one that waits unconfirmed may hold somebody else's password.
  const type = isNew && !services.settings.autoconfirm ? 'signup' : 'magiclink'
  await forUserOrObfuscated(tx, services, { user, address: { email } }, (account, to) =>
    enqueueLinkEmail(tx, services, { user: account, email: to, type, redirectTo, challenge }),
  )
  const action = isNew ? 'user_confirmation_requested' : 'user_recovery_requested'
  await audit(tx, { action, actor: user ?? unknownActor, client, traits: { provider: 'email' } })
}

const mayJoin = ({ settings }: Services, { createUser }: SignInByMail): boolean =>
  createUser && !settings.disableSignup

async function newcomer(tx: Transaction, { settings, now }: Services, { email, data }: SignInByMail) {
  const at = new Date(now()).toISOString()
  const user = await createAccount(tx, { email, data, at })
  return settings.autoconfirm ? confirmAddress(tx, user, 'email', at) : user
}
