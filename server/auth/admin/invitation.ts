import type { Transaction } from '#server/database/port.ts'
import type { Services } from '../context.ts'
import { authErrors } from '../errors.ts'
import { claimUnconfirmedAccount, createAccount, mergeMetadata, reload } from '../users/accounts.ts'
import { findUser, updateUser } from '../users/queries.ts'
import type { Metadata, UserRow } from '../users/user.ts'

interface Invitation {
  email: string
  data: Metadata | undefined
}

/**
 * The account that an invitation is for: a new one, or one that nobody has confirmed yet, without what whoever made it
 * left in it. Errors: email_exists.
 */
export async function invitedAccount(
  tx: Transaction,
  { now }: Pick<Services, 'now'>,
  { email, data }: Invitation,
): Promise<UserRow> {
  const at = new Date(now()).toISOString()
  const known = await findUser(tx, { email }, { lock: true })
  if (known?.confirmed_at) throw authErrors.emailExists()
  if (!known) return createAccount(tx, { email, data, columns: { invited_at: at }, at })
  const { raw_user_meta_data: kept } = await claimUnconfirmedAccount(tx, known, { at })
  const merged = mergeMetadata(kept, data ?? {})
  await updateUser(tx, known.id, { invited_at: at, raw_user_meta_data: merged, updated_at: at })
  return reload(tx, known.id)
}
