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
import { confirmPhone, createAccount, reload } from '../users/accounts.ts'
import { renderUser } from '../users/render-user.ts'
import { findUser, updateUser } from '../users/repository.ts'
import type { Metadata, UserRow } from '../users/rows.ts'
import { madeUpUser } from './made-up-user.ts'

interface SignUp {
  phone: string
  passwordHash: string | undefined
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
      const user = await unconfirmedPhoneAccount(tx, services, signUp)
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
  const user = await unconfirmedPhoneAccount(tx, services, signUp)
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

/** The account to be confirmed, new or not confirmed yet; none when the number has a confirmed one. */
async function unconfirmedPhoneAccount(
  tx: Transaction,
  { now }: Pick<Services, 'now'>,
  { phone, passwordHash, data }: Pick<SignUp, 'phone' | 'passwordHash' | 'data'>,
): Promise<UserRow | undefined> {
  const at = new Date(now()).toISOString()
  const known = await findUser(tx, { phone }, { lock: true })
  if (known?.confirmed_at) return undefined
  if (!known) return createAccount(tx, { phone, passwordHash, data, at })
  const facts = { sub: known.id, phone, email_verified: false, phone_verified: false }
  await updateUser(tx, known.id, {
    encrypted_password: passwordHash ?? null,
    raw_user_meta_data: { ...data, ...facts },
    updated_at: at,
  })
  return reload(tx, known.id)
}
