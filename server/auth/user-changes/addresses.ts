import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client } from '../client.ts'
import { enqueueEmailChange } from '../email-change.ts'
import { authErrors } from '../errors.ts'
import { issueToken } from '../one-time-tokens/issue.ts'
import type { Challenge } from '../pkce.ts'
import type { Services } from '../services.ts'
import { enqueueSms } from '../sms/queue.ts'
import { changeAddress } from '../users/accounts.ts'
import { findUser, updateUser } from '../users/repository.ts'
import type { UserRow } from '../users/rows.ts'

interface EmailWish {
  newEmail: string
  redirectTo: string
  challenge: Challenge | undefined
  client: Client
}

/** Mails that ask for a confirmation; none where none is asked for. Errors: email_exists. */
export async function requestEmailChange(
  tx: Transaction,
  services: Services,
  user: UserRow,
  wish: EmailWish,
): Promise<void> {
  const { newEmail, client } = wish
  if (await findUser(tx, { email: newEmail })) throw authErrors.emailExists()
  await audit(tx, { action: 'email_change_requested', actor: user, client })
  if (!services.settings.autoconfirm) return enqueueEmailChange(tx, services, { user, ...wish })
  await changeAddress(tx, user, { email: newEmail }, new Date(services.now()).toISOString())
}

/** A code to the new phone; none where no confirmation is asked for. Errors: phone_exists. */
export async function requestPhoneChange(
  tx: Transaction,
  services: Services,
  user: UserRow,
  { phone, channel, client }: { phone: string; channel: 'sms' | 'whatsapp'; client: Client },
): Promise<void> {
  if (await findUser(tx, { phone })) throw authErrors.phoneExists()
  const at = new Date(services.now()).toISOString()
  await audit(tx, { action: 'user_modified', actor: user, client, traits: { requested: 'phone' } })
  if (services.settings.autoconfirm) {
    await changeAddress(tx, user, { phone }, at)
    return
  }
  await updateUser(tx, user.id, { phone_change: phone, updated_at: at })
  const fixedCode = services.settings.testOtps.get(phone)
  const token = await issueToken(tx, services, {
    user,
    type: 'phone_change_token',
    address: phone,
    fixedCode,
  })
  await enqueueSms(tx, services, { phone, channel, user, codeId: token.id })
}
