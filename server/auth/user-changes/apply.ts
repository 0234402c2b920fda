import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client } from '../client.ts'
import type { Letter } from '../deliver.ts'
import { authErrors } from '../errors.ts'
import { metadata } from '../fields.ts'
import type { IssuedToken, Undo } from '../one-time-tokens/issue.ts'
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
  redirectTo: string
  challenge: Challenge | undefined
  client: Client
}

/** What is still to be sent, and how to take everything back if it cannot be. */
export interface Applied {
  letters: Letter[]
  text: IssuedToken | undefined
  undo: Undo[]
}

/** All changes that a member makes in one call, or none. The row is locked, so that two tabs lose nothing. */
export async function applyChanges(
  tx: Transaction,
  services: Services,
  userId: string,
  changes: Changes,
): Promise<Applied> {
  const { password, data, email, phone, client } = changes
  const before = await findUser(tx, { id: userId }, { lock: true })
  if (!before) throw authErrors.userNotFound(403)
  if (password) await setPassword(tx, services, before, { ...password, client })
  if (data) await changeMetadata(tx, services, before, data, client)
  const user = await reload(tx, userId)
  const letters = email ? await requestEmailChange(tx, services, user, { ...changes, newEmail: email }) : []
  const current = letters.length > 0 ? user : await reload(tx, userId)
  const text = phone ? await requestPhoneChange(tx, services, current, { phone, client }) : undefined
  return { letters, text, undo: [restore(before)] }
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

/** The columns that a call may have changed, as they were. */
const restore =
  ({ id, ...before }: UserRow): Undo =>
  (again) =>
    updateUser(again, id, {
      encrypted_password: before.encrypted_password,
      raw_user_meta_data: before.raw_user_meta_data,
      email_change: before.email_change,
      email_change_confirm_status: before.email_change_confirm_status,
      phone_change: before.phone_change,
    })
