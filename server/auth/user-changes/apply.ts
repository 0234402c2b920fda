import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client, Member, Services } from '../context.ts'
import { lockMember } from '../mfa/assurance.ts'
import { type CheckedPassword, setPassword } from '../password/change-password.ts'
import type { Challenge } from '../pkce.ts'
import { check, metadata } from '../request-body.ts'
import { mergeMetadata, reload, revokeAccess } from '../users/accounts.ts'
import { updateUser } from '../users/queries.ts'
import type { Metadata, UserRow } from '../users/user.ts'
import { requestEmailChange, requestPhoneChange } from './addresses.ts'

export interface Changes {
  password: CheckedPassword | undefined
  data: Metadata | undefined
  /** Addresses, where they differ from the ones that are there. */
  email: string | undefined
  phone: string | undefined
  /** How a code is sent to a new phone. */
  channel: 'sms' | 'whatsapp'
  redirectTo: string
  challenge: Challenge | undefined
  client: Client
}

/** As GoTrue tells it. */
export const TO_CHANGE_CREDENTIALS = {
  status: 401,
  message: 'AAL2 session is required to update email or password when MFA is enabled.',
} as const

/** All changes that a member makes in one call, or none. The row is locked, so that two tabs lose nothing. */
export async function applyChanges(
  tx: Transaction,
  services: Services,
  member: Member,
  changes: Changes,
): Promise<void> {
  const { password, data, email, phone, client } = changes
  const changesCredentials = Boolean(password || email || phone)
  const terms = { now: services.now(), refusal: TO_CHANGE_CREDENTIALS, aal2: changesCredentials }
  const { user: before, session } = await lockMember(tx, member, terms)
  const { id } = before
  if (password) {
    await setPassword(tx, services, before, { ...password, client })
    // Whoever knew the old password is signed out by the new one.
    await revokeAccess(tx, id, { sessionId: session.id })
  }
  if (data) await changeMetadata(tx, services, before, data, client)
  const asked = { ...changes, sessionId: session.id }
  if (email) await requestEmailChange(tx, services, await reload(tx, id), { ...asked, newEmail: email })
  if (phone) await requestPhoneChange(tx, services, await reload(tx, id), { ...asked, phone })
}

async function changeMetadata(
  tx: Transaction,
  { now }: Services,
  user: UserRow,
  data: Metadata,
  client: Client,
) {
  await updateUser(tx, user.id, {
    // Checked as a whole: many small changes must not add up to a token that no header can hold.
    raw_user_meta_data: check(metadata, mergeMetadata(user.raw_user_meta_data, data)),
    updated_at: new Date(now()).toISOString(),
  })
  await audit(tx, { action: 'user_modified', actor: user, client, traits: { changed: 'data' } })
}
