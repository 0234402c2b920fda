import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client } from '../client.ts'
import { onceMoreOnConflict } from '../conflicts.ts'
import { withSendCooldown } from '../emails.ts'
import { authErrors } from '../errors.ts'
import { issueToken } from '../one-time-tokens/issue.ts'
import type { Services } from '../services.ts'
import { startSession, tokenResponse } from '../sessions/start.ts'
import { enqueueSms } from '../sms/queue.ts'
import { confirmPhone, reload } from '../users/accounts.ts'
import { renderUser } from '../users/render-user.ts'
import type { Metadata } from '../users/rows.ts'
import { accountToConfirm, type ChosenPassword } from './account-to-confirm.ts'
import { madeUpUser } from './made-up-user.ts'

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
  onceMoreOnConflict(() =>
    services.db.asOwner('sign-up by phone', async (tx) => {
      const user = await accountToConfirm(tx, services, { ...wantedBy(signUp), isTrusted: true })
      if (!user) throw authErrors.userAlreadyExists()
      const confirmed = await confirmPhone(tx, user, new Date(services.now()).toISOString())
      const { client } = signUp
      await audit(tx, { action: 'user_signedup', actor: confirmed, client, traits: { provider: 'phone' } })
      return startSession(tx, services, { user: confirmed, method: 'password', client })
    }),
  )

async function textedSignUp(services: Services, signUp: SignUp) {
  const { phone, data } = signUp
  const user = await onceMoreOnConflict(() =>
    services.db.asOwner('sign-up by phone', (tx) => prepareText(tx, services, signUp)),
  )
  return user ? renderUser(user) : madeUpUser({ phone, data, at: new Date(services.now()).toISOString() })
}

async function prepareText(tx: Transaction, services: Services, signUp: SignUp) {
  const { phone, channel, client } = signUp
  const user = await accountToConfirm(tx, services, wantedBy(signUp))
  if (!user) return undefined
  const fixedCode = services.settings.testOtps.get(phone)
  const token = await issueToken(tx, services, {
    user,
    type: 'confirmation_token',
    address: phone,
    fixedCode,
  })
  await audit(tx, {
    action: 'user_confirmation_requested',
    actor: user,
    client,
    traits: { provider: 'phone' },
  })
  await enqueueSms(tx, services, { phone, channel, user, codeId: token.id })
  return reload(tx, user.id)
}

const wantedBy = ({ phone, password, data }: SignUp) => ({ address: { phone }, password, data })
