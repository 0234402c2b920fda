import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client } from '../client.ts'
import { authErrors } from '../errors.ts'
import { metadata } from '../fields.ts'
import type { Challenge } from '../pkce.ts'
import { check } from '../read-body.ts'
import type { Services } from '../services.ts'
import { mergeMetadata, reload } from '../users/accounts.ts'
import { findUser, updateUser } from '../users/repository.ts'
import type { Metadata, UserRow } from '../users/rows.ts'
import { requestEmailChange, requestPhoneChange } from './addresses.ts'
import { type CheckedPassword, setPassword } from './password.ts'

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

/** All changes that a member makes in one call, or none. The row is locked, so that two tabs lose nothing. */
export async function applyChanges(
  tx: Transaction,
  services: Services,
  userId: string,
  changes: Changes,
): Promise<void> {
  const { password, data, email, phone } = changes
  const before = await findUser(tx, { id: userId }, { lock: true })
  if (!before) throw authErrors.userNotFound(403)
  if (password) await setPassword(tx, services, before, { ...password, client: changes.client })
  if (data) await changeMetadata(tx, services, before, data, changes.client)
  if (email) await requestEmailChange(tx, services, await reload(tx, userId), { ...changes, newEmail: email })
  if (phone) await requestPhoneChange(tx, services, await reload(tx, userId), { ...changes, phone })
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
