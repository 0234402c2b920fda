import type { Transaction } from '#server/database/port.ts'
import { reload } from '../users/accounts.ts'
import { updateUser } from '../users/repository.ts'
import type { UserRow } from '../users/rows.ts'

/** Writes into app_metadata which ways in there are now: `providers`, and `provider` the first of them. */
export async function renewProviders(tx: Transaction, userId: string, at: string): Promise<UserRow> {
  const user = await reload(tx, userId)
  const providers = [...new Set(user.identities.map((identity) => identity.provider))]
  await updateUser(tx, userId, {
    raw_app_meta_data: { ...user.raw_app_meta_data, provider: providers[0], providers },
    updated_at: at,
  })
  return reload(tx, userId)
}
