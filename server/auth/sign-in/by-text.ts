import type { Transaction } from '#server/database/port.ts'
import { audit, unknownActor } from '../audit.ts'
import type { Client, Services } from '../context.ts'
import { withSendCooldown } from '../emails.ts'
import { retryOnConflict } from '../errors.ts'
import { issueToken } from '../otp/one-time-tokens.ts'
import { enqueueSms } from '../sms/queue.ts'
import { createAccount } from '../users/accounts.ts'
import { forUserOrObfuscated } from '../users/obfuscated-user.ts'
import { findUser } from '../users/queries.ts'
import type { Metadata } from '../users/user.ts'

interface SignInByText {
  phone: string
  createUser: boolean
  data: Metadata | undefined
  channel: 'sms' | 'whatsapp'
  client: Client
}

/** Texts a code that signs in. As by mail, nobody learns whether the number has an account. */
export const sendSignInCode = (services: Services, wish: SignInByText) =>
  withSendCooldown(services, { kind: 'sms', phone: wish.phone }, () =>
    retryOnConflict(() => services.db.asOwner('sign-in by text', (tx) => prepare(tx, services, wish))),
  )

async function prepare(tx: Transaction, services: Services, wish: SignInByText) {
  const { phone, channel, client } = wish
  const known = await findUser(tx, { phone }, { lock: true })
  const mayJoin = wish.createUser && !services.settings.disableSignup
  const at = new Date(services.now()).toISOString()
  const user = known ?? (mayJoin ? await createAccount(tx, { phone, data: wish.data, at }) : undefined)
  const fixedCode = services.settings.testOtps.get(phone)
  // Whoever signs in by a code need not have chosen what is in an account that waits unconfirmed.
  const type = known || !user ? 'recovery_token' : 'confirmation_token'
  const actor = user ?? unknownActor
  await audit(tx, { action: 'user_recovery_requested', actor, client, traits: { provider: 'phone' } })
  return forUserOrObfuscated(tx, services, { user, address: { phone } }, async (account, address) => {
    const token = await issueToken(tx, services, { user: account, type, address, fixedCode })
    return enqueueSms(tx, services, { phone, channel, user: account, codeId: token.id })
  })
}
