import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client, Services } from '../context.ts'
import { enqueueEmailChange, notifyAccountChange } from '../emails.ts'
import { authErrors } from '../errors.ts'
import { issueToken } from '../one-time-tokens/issue.ts'
import type { Challenge } from '../pkce.ts'
import { enqueueSms } from '../sms/queue.ts'
import { changeAddress, evictUnconfirmedHolder, revokeAccess } from '../users/accounts.ts'
import { updateUser } from '../users/queries.ts'
import type { UserRow } from '../users/user.ts'

interface EmailWish {
  newEmail: string
  redirectTo: string
  challenge: Challenge | undefined
  client: Client
  /** The session that asks: it goes on when the change ends the others. */
  sessionId: string
}

/** Mails that ask for a confirmation; none where none is asked for. Errors: email_exists. */
export async function requestEmailChange(
  tx: Transaction,
  services: Services,
  user: UserRow,
  wish: EmailWish,
): Promise<void> {
  const { newEmail, client, sessionId } = wish
  if (await evictUnconfirmedHolder(tx, { email: newEmail })) throw authErrors.emailExists()
  await audit(tx, { action: 'email_change_requested', actor: user, client })
  if (!services.settings.autoconfirm) return enqueueEmailChange(tx, services, { user, ...wish })
  await revokeAccess(tx, user.id, { sessionId })
  await changeAddress(tx, user, { email: newEmail }, new Date(services.now()).toISOString())
  await notifyAccountChange(tx, services, user, 'emailChanged', newEmail)
}

interface PhoneWish {
  phone: string
  channel: 'sms' | 'whatsapp'
  client: Client
  sessionId: string
}

/** A code to the new phone; none where no confirmation is asked for. Errors: phone_exists. */
export async function requestPhoneChange(
  tx: Transaction,
  services: Services,
  user: UserRow,
  { phone, channel, client, sessionId }: PhoneWish,
): Promise<void> {
  if (await evictUnconfirmedHolder(tx, { phone })) throw authErrors.phoneExists()
  const at = new Date(services.now()).toISOString()
  await audit(tx, { action: 'user_modified', actor: user, client, traits: { requested: 'phone' } })
  if (services.settings.autoconfirm) {
    await revokeAccess(tx, user.id, { sessionId })
    await changeAddress(tx, user, { phone }, at)
    await notifyAccountChange(tx, services, user, 'phoneChanged', phone.slice(-3))
    return
  }
  await updateUser(tx, user.id, { phone_change: phone, updated_at: at })
  const fixedCode = services.settings.testOtps.get(phone)
  const token = await issueToken(tx, services, {
    user,
    type: 'phone_change_token',
    address: phone,
    sessionId,
    fixedCode,
  })
  await enqueueSms(tx, services, { phone, channel, user, codeId: token.id })
}
