import type { Transaction } from '#server/database/port.ts'
import { putAddressIdentity } from '../users/identities.ts'
import type { UserRow } from '../users/rows.ts'
import { renewProviders } from './providers-of.ts'

/**
 * The owner of the mailbox takes over an account that nobody has confirmed. Identities that came with that address,
 * without proof of it, would let somebody else in later: only the address itself stays.
 */
export async function dropUnprovedIdentities(tx: Transaction, user: UserRow, at: string): Promise<UserRow> {
  const isOwn = ({ provider }: { provider: string }) => provider === 'email' || provider === 'phone'
  if (user.confirmed_at || !user.email || user.identities.every(isOwn)) return user
  await tx.query(`delete from auth.identities where user_id = $1 and provider not in ('email', 'phone')`, [
    user.id,
  ])
  const facts = { email: user.email, email_verified: false, phone_verified: false }
  await putAddressIdentity(tx, user.id, 'email', facts, at)
  return renewProviders(tx, user.id, at)
}
