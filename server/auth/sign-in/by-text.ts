import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client } from '../client.ts'
import { onceMoreOnConflict } from '../conflicts.ts'
import { withSendCooldown } from '../emails.ts'
import { authErrors } from '../errors.ts'
import { issueToken } from '../one-time-tokens/issue.ts'
import type { Services } from '../services.ts'
import { enqueueSms } from '../sms/queue.ts'
import { createAccount } from '../users/accounts.ts'
import { findUser } from '../users/repository.ts'
import type { Metadata } from '../users/rows.ts'

interface SignInByText {
  phone: string
  createUser: boolean
  data: Metadata | undefined
  channel: 'sms' | 'whatsapp'
  client: Client
}

/** Texts a code that signs in. Errors: otp_disabled and signup_disabled for unknown numbers. */
export const textSignInCode = (services: Services, wish: SignInByText) =>
  withSendCooldown(services, { kind: 'sms', phone: wish.phone }, () =>
    onceMoreOnConflict(() => services.db.asOwner('sign-in by text', (tx) => prepare(tx, services, wish))),
  )

async function prepare(tx: Transaction, services: Services, wish: SignInByText) {
  const { phone, channel, client } = wish
  const known = await findUser(tx, { phone }, { lock: true })
  const user = known ?? (await newcomer(tx, services, wish))
  const fixedCode = services.settings.testOtps.get(phone)
  // Whoever signs in by a code need not have chosen what is in an account that waits unconfirmed.
  const type = known ? 'recovery_token' : 'confirmation_token'
  const token = await issueToken(tx, services, { user, type, address: phone, fixedCode })
  await audit(tx, { action: 'user_recovery_requested', actor: user, client, traits: { provider: 'phone' } })
  return enqueueSms(tx, services, { phone, channel, user, codeId: token.id })
}

async function newcomer(
  tx: Transaction,
  { settings, now }: Services,
  { phone, createUser, data }: SignInByText,
) {
  if (!createUser) throw authErrors.otpDisabled()
  if (settings.disableSignup) throw authErrors.signupDisabled()
  return createAccount(tx, { phone, data, at: new Date(now()).toISOString() })
}
