import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client, Services } from '../context.ts'
import { enqueueLinkEmail, withSendCooldown } from '../emails.ts'
import { authErrors, retryOnConflict } from '../errors.ts'
import type { Challenge } from '../pkce.ts'
import { startSession, tokenResponse } from '../sessions/lifecycle.ts'
import { confirmAddress, reload } from '../users/accounts.ts'
import { renderAsIfFor, withObfuscatedUser } from '../users/obfuscated-user.ts'
import { findUser } from '../users/queries.ts'
import { type Metadata, type RenderedUser, renderUser, type UserRow } from '../users/user.ts'
import { accountToConfirm, type ChosenPassword } from './account-to-confirm.ts'

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
  retryOnConflict(() =>
    services.db.asOwner('sign-up', async (tx) => {
      const user = await accountToConfirm(tx, services, { ...wantedBy(signUp), isTrusted: true })
      if (!user) throw authErrors.userAlreadyExists()
      const confirmed = await confirmAddress(tx, user, 'email', new Date(services.now()).toISOString())
      const { client } = signUp
      await audit(tx, { action: 'user_signedup', actor: confirmed, client, traits: { provider: 'email' } })
      return startSession(tx, services, { user: confirmed, method: 'password', client })
    }),
  )

/**
 * Answers the same for every address: with the new account, or, where there is one already, with a made-up one. Who
 * owns the mailbox could tell the difference, by the mail.
 */
const mailedSignUp = (services: Services, signUp: MailedSignUp): Promise<RenderedUser> =>
  retryOnConflict(() => services.db.asOwner('sign-up', (tx) => signUpAlike(tx, services, signUp)))

async function signUpAlike(tx: Transaction, services: Services, signUp: MailedSignUp): Promise<RenderedUser> {
  const { email, client, challenge, redirectTo, password, data } = signUp
  const known = await findUser(tx, { email })
  const user = await accountToConfirm(tx, services, wantedBy(signUp))
  const mailTo = async (account: UserRow, to: string) => {
    // An invitation stays good whoever signs up with its address: they get a link beside it.
    const type = account.invited_at ? 'magiclink' : 'signup'
    await enqueueLinkEmail(tx, services, { user: account, email: to, type, redirectTo, challenge })
  }
  const action = user ? 'user_confirmation_requested' : 'user_repeated_signup'
  await audit(tx, { action, actor: user ?? known, client, traits: { provider: 'email' } })
  if (user) await mailTo(user, email)
  if (user && !known) return renderUser(await reload(tx, user.id))
  const account = { passwordHash: password.hash, data }
  return withObfuscatedUser(tx, services, { address: { email }, account }, async (decoy, madeUp) => {
    await mailTo(decoy, madeUp)
    return renderAsIfFor({ email }, renderUser(await reload(tx, decoy.id)), madeUp)
  })
}

const wantedBy = ({ email, password, data }: SignUp) => ({ address: { email }, password, data })
