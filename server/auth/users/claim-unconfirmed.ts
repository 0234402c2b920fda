import type { Transaction } from '#server/database/port.ts'
import { renewProviders } from '../identities/providers-of.ts'
import { putAddressIdentity } from './identities.ts'
import { findUser, updateUser } from './repository.ts'
import { revokeAccess } from './revoke-access.ts'
import type { IdentityRow, Metadata, UserRow } from './rows.ts'

interface Claim {
  at: string
  /** The identity by which the address was proved. Without one, the address itself is the way in. */
  identity?: Pick<IdentityRow, 'provider' | 'provider_id'> | undefined
  /** The PKCE flow that the proof itself ends. */
  flowId?: string | undefined
}

/**
 * Somebody has proved the address of an account that nobody had confirmed, or an admin gives it away. Whoever made it
 * may have been anybody, who then waits with what they left in it: their password, identities, factors, passkeys,
 * sessions, links and metadata go (docs/decisions). A confirmed account is given back as it is.
 *
 * What only admins write stays: the id, `app_metadata`, and the metadata of an invitation.
 */
export async function claimUnconfirmedAccount(
  tx: Transaction,
  user: UserRow,
  { at, identity, flowId }: Claim,
): Promise<UserRow> {
  if (user.confirmed_at) return user
  await revokeAccess(tx, user.id, { flowId })
  await tx.query('delete from auth.mfa_factors where user_id = $1', [user.id])
  await tx.query('delete from auth.webauthn_credentials where user_id = $1', [user.id])
  await tx.query(
    `delete from auth.identities where user_id = $1 and not (provider = $2 and provider_id = $3)`,
    [user.id, identity?.provider ?? '', identity?.provider_id ?? ''],
  )
  await updateUser(tx, user.id, {
    encrypted_password: null,
    raw_user_meta_data: { ...adminsMetadata(user), ...addressFacts(user) },
    updated_at: at,
  })
  if (!identity) await restoreAddresses(tx, user, at)
  return renewProviders(tx, user.id, at)
}

/** Only a sign-up sends a confirmation without an invitation; the others' metadata was written by an admin. */
const adminsMetadata = ({ invited_at, confirmation_sent_at, raw_user_meta_data }: UserRow): Metadata =>
  invited_at || !confirmation_sent_at ? { ...raw_user_meta_data } : {}

const addressFacts = ({ id, email, phone }: UserRow): Metadata => ({
  sub: id,
  ...(email && { email }),
  ...(phone && { phone }),
  email_verified: false,
  phone_verified: false,
})

async function restoreAddresses(tx: Transaction, user: UserRow, at: string): Promise<void> {
  const facts = addressFacts(user)
  if (user.email) await putAddressIdentity(tx, user.id, 'email', facts, at)
  if (user.phone) await putAddressIdentity(tx, user.id, 'phone', facts, at)
}

/**
 * Makes an address free for somebody who has proved it: an account that nobody confirmed, and that no admin made,
 * must not keep it from its owner. Gives back the account that does hold it.
 */
export async function holderOf(
  tx: Transaction,
  address: { email: string } | { phone: string },
): Promise<UserRow | undefined> {
  const holder = await findUser(tx, address)
  if (!holder || holder.confirmed_at || holder.invited_at || !holder.confirmation_sent_at) return holder
  // It may be confirmed at this very moment: the row is looked at again once nobody else changes it.
  const sql = 'delete from auth.users where id = $1 and confirmed_at is null'
  return (await tx.query(sql, [holder.id])).affected > 0 ? undefined : holder
}
