import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client } from '../client.ts'
import { onceMoreOnConflict } from '../conflicts.ts'
import { withSendCooldown } from '../emails.ts'
import { authErrors } from '../errors.ts'
import { dropUnprovedIdentities } from '../identities/drop-unproved.ts'
import { enqueueLinkEmail } from '../link-email.ts'
import type { Challenge } from '../pkce.ts'
import type { Services } from '../services.ts'
import { startSession, tokenResponse } from '../sessions/start.ts'
import { confirmEmail, createAccount, reload } from '../users/accounts.ts'
import { renderUser } from '../users/render-user.ts'
import { findUser, updateUser } from '../users/repository.ts'
import type { Metadata, UserRow } from '../users/rows.ts'
import { madeUpUser } from './made-up-user.ts'

interface SignUp {
  email: string
  /** Undefined for those who sign in by mail only. */
  passwordHash: string | undefined
  data: Metadata | undefined
  client: Client
}

interface MailedSignUp extends SignUp {
  challenge: Challenge | undefined
  redirectTo: string
}

/** A session when no confirmation is asked for, else the user who has been sent a mail. */
export const signUpByEmail = async (services: Services, signUp: MailedSignUp) =>
  services.settings.autoconfirm
    ? tokenResponse(services, await confirmedSignUp(services, signUp))
    : withSendCooldown(services, { kind: 'signup', email: signUp.email }, () =>
        mailedSignUp(services, signUp),
      )

const confirmedSignUp = (services: Services, signUp: SignUp) =>
  onceMoreOnConflict(() =>
    services.db.asOwner('sign-up', async (tx) => {
      const user = await unconfirmedAccount(tx, services, signUp)
      if (!user) throw authErrors.userAlreadyExists()
      const confirmed = await confirmEmail(tx, user, new Date(services.now()).toISOString())
      const { client } = signUp
      await audit(tx, { action: 'user_signedup', actor: confirmed, client, traits: { provider: 'email' } })
      return startSession(tx, services, { user: confirmed, method: 'password', client })
    }),
  )

/** Answers the same for an address that has an account: only its owner could tell the difference, by the mail. */
async function mailedSignUp(services: Services, signUp: MailedSignUp) {
  const user = await onceMoreOnConflict(() =>
    services.db.asOwner('sign-up', (tx) => prepareMail(tx, services, signUp)),
  )
  const { email, data } = signUp
  return user ? renderUser(user) : madeUpUser({ email, data, at: new Date(services.now()).toISOString() })
}

async function prepareMail(tx: Transaction, services: Services, signUp: MailedSignUp) {
  const { email, client, challenge, redirectTo } = signUp
  const user = await unconfirmedAccount(tx, services, signUp)
  if (!user) {
    const known = await findUser(tx, { email })
    await audit(tx, { action: 'user_repeated_signup', actor: known, client, traits: { provider: 'email' } })
    return undefined
  }
  await enqueueLinkEmail(tx, services, { user, email, type: 'signup', redirectTo, challenge })
  await audit(tx, {
    action: 'user_confirmation_requested',
    actor: user,
    client,
    traits: { provider: 'email' },
  })
  return reload(tx, user.id)
}

/**
 * The account to be confirmed: a new one, or one that nobody has confirmed yet, which then belongs to whoever signed up
 * last; what earlier ones chose would otherwise wait for the owner of the mailbox. None when it is confirmed.
 */
export async function unconfirmedAccount(
  tx: Transaction,
  { now }: Pick<Services, 'now'>,
  { email, passwordHash, data }: Omit<SignUp, 'client'>,
): Promise<UserRow | undefined> {
  const at = new Date(now()).toISOString()
  const known = await findUser(tx, { email }, { lock: true })
  if (known?.confirmed_at) return undefined
  if (!known) return createAccount(tx, { email, passwordHash, data, at })
  await updateUser(tx, known.id, {
    encrypted_password: passwordHash ?? null,
    raw_user_meta_data: { ...data, sub: known.id, email, email_verified: false, phone_verified: false },
    updated_at: at,
  })
  return dropUnprovedIdentities(tx, await reload(tx, known.id), at)
}
