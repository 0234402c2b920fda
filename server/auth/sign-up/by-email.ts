import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client } from '../client.ts'
import { onceMoreOnConflict } from '../conflicts.ts'
import { withSendCooldown } from '../emails.ts'
import { authErrors } from '../errors.ts'
import { enqueueLinkEmail } from '../link-email.ts'
import type { Challenge } from '../pkce.ts'
import type { Services } from '../services.ts'
import { startSession, tokenResponse } from '../sessions/start.ts'
import { confirmEmail, reload } from '../users/accounts.ts'
import { renderUser } from '../users/render-user.ts'
import { findUser } from '../users/repository.ts'
import type { Metadata } from '../users/rows.ts'
import { accountToConfirm, type ChosenPassword } from './account-to-confirm.ts'
import { madeUpUser } from './made-up-user.ts'

interface SignUp {
  email: string
  password: ChosenPassword
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
      const user = await accountToConfirm(tx, services, { ...wantedBy(signUp), isTrusted: true })
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
  const user = await accountToConfirm(tx, services, wantedBy(signUp))
  if (!user) {
    const known = await findUser(tx, { email })
    await audit(tx, { action: 'user_repeated_signup', actor: known, client, traits: { provider: 'email' } })
    return undefined
  }
  // An invitation stays good whoever signs up with its address: they get a link beside it.
  const type = user.invited_at ? 'magiclink' : 'signup'
  await enqueueLinkEmail(tx, services, { user, email, type, redirectTo, challenge })
  await audit(tx, {
    action: 'user_confirmation_requested',
    actor: user,
    client,
    traits: { provider: 'email' },
  })
  return reload(tx, user.id)
}

const wantedBy = ({ email, password, data }: SignUp) => ({ address: { email }, password, data })
