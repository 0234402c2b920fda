import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client, Services } from '../context.ts'
import { withSendCooldown } from '../emails.ts'
import { authErrors, retryOnConflict } from '../errors.ts'
import { issueToken } from '../one-time-tokens/issue.ts'
import { startSession, tokenResponse } from '../sessions/lifecycle.ts'
import { enqueueSms } from '../sms/queue.ts'
import { confirmAddress, reload } from '../users/accounts.ts'
import { renderAsIfFor, withObfuscatedUser } from '../users/obfuscated-user.ts'
import { findUser } from '../users/queries.ts'
import { type Metadata, type RenderedUser, renderUser, type UserRow } from '../users/user.ts'
import { accountToConfirm, type ChosenPassword } from './account-to-confirm.ts'

interface SignUp {
  phone: string
  password: ChosenPassword
  data: Metadata | undefined
  channel: 'sms' | 'whatsapp'
  client: Client
}

/** As by e-mail, with a code by text message. */
export const signUpByPhone = async (services: Services, signUp: SignUp) =>
  services.settings.autoconfirm
    ? tokenResponse(services, await confirmedSignUp(services, signUp))
    : withSendCooldown(services, { kind: 'sms', phone: signUp.phone }, () => textedSignUp(services, signUp))

const confirmedSignUp = (services: Services, signUp: SignUp) =>
  retryOnConflict(() =>
    services.db.asOwner('sign-up by phone', async (tx) => {
      const user = await accountToConfirm(tx, services, { ...wantedBy(signUp), isTrusted: true })
      if (!user) throw authErrors.userAlreadyExists()
      const confirmed = await confirmAddress(tx, user, 'phone', new Date(services.now()).toISOString())
      const { client } = signUp
      await audit(tx, { action: 'user_signedup', actor: confirmed, client, traits: { provider: 'phone' } })
      return startSession(tx, services, { user: confirmed, method: 'password', client })
    }),
  )

const textedSignUp = (services: Services, signUp: SignUp): Promise<RenderedUser> =>
  retryOnConflict(() => services.db.asOwner('sign-up by phone', (tx) => signUpAlike(tx, services, signUp)))

async function signUpAlike(tx: Transaction, services: Services, signUp: SignUp): Promise<RenderedUser> {
  const { phone, channel, client, password, data } = signUp
  const known = await findUser(tx, { phone })
  const user = await accountToConfirm(tx, services, wantedBy(signUp))
  const fixedCode = services.settings.testOtps.get(phone)
  const textTo = async (account: UserRow, address: string) => {
    const wanted = { user: account, type: 'confirmation_token', address, fixedCode } as const
    const token = await issueToken(tx, services, wanted)
    await enqueueSms(tx, services, { phone, channel, user: account, codeId: token.id })
  }
  const action = user ? 'user_confirmation_requested' : 'user_repeated_signup'
  await audit(tx, { action, actor: user ?? known, client, traits: { provider: 'phone' } })
  if (user) await textTo(user, phone)
  if (user && !known) return renderUser(await reload(tx, user.id))
  const account = { passwordHash: password.hash, data }
  return withObfuscatedUser(tx, services, { address: { phone }, account }, async (decoy, madeUp) => {
    await textTo(decoy, madeUp)
    return renderAsIfFor({ phone }, renderUser(await reload(tx, decoy.id)), madeUp)
  })
}

const wantedBy = ({ phone, password, data }: SignUp) => ({ address: { phone }, password, data })
