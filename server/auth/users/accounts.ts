import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { deleteTokensOf } from '../otp/one-time-tokens.ts'
import { deleteSessions } from '../sessions/queries.ts'
import {
  findUser,
  insertIdentity,
  insertUser,
  mergeIdentity,
  putAddressIdentity,
  updateUser,
} from './queries.ts'
import {
  type Address,
  type AddressProvider,
  type IdentityRow,
  type Metadata,
  providerOf,
  type UserChanges,
  type UserRow,
} from './user.ts'

export interface NewAccount {
  email?: string | undefined
  phone?: string | undefined
  passwordHash?: string | undefined
  data?: Metadata | undefined
  /** Further columns: an admin may set nearly all. */
  columns?: UserChanges & { id?: string }
  at: string
}

/** Makes an account with the identities of its addresses; without any address an anonymous one. */
export async function createAccount(tx: Transaction, account: NewAccount): Promise<UserRow> {
  const { email, phone, passwordHash, data = {}, columns = {}, at } = account
  const id = columns.id ?? randomUUID()
  const providers = [...(email ? ['email'] : []), ...(phone ? ['phone'] : [])]
  const facts = addressFacts(id, { email, phone })
  await insertUser(tx, {
    email: email ?? null,
    phone: phone ?? null,
    encrypted_password: passwordHash ?? null,
    is_anonymous: providers.length === 0,
    ...columns,
    raw_app_meta_data: { ...columns.raw_app_meta_data, ...namedProviders(providers) },
    raw_user_meta_data: { ...data, ...(providers.length > 0 ? facts : {}) },
    id,
    created_at: at,
    updated_at: at,
  })
  for (const provider of providers) {
    await insertIdentity(tx, { userId: id, provider, providerId: id, data: facts, at })
  }
  return reload(tx, id)
}

/** What GoTrue notes about an address beside it, in the identity and in the user's metadata. */
const addressFacts = (
  sub: string,
  { email, phone }: { email?: string | null | undefined; phone?: string | null | undefined },
): Metadata => ({
  sub,
  ...(email && { email }),
  ...(phone && { phone }),
  email_verified: false,
  phone_verified: false,
})

/** app_metadata names all providers, and the first of them again by itself. */
const namedProviders = (providers: readonly string[]): Metadata =>
  providers.length > 0 ? { provider: providers[0], providers } : {}

/** The account's address is proved to be this person's. */
export async function confirmAddress(
  tx: Transaction,
  user: UserRow,
  provider: AddressProvider,
  at: string,
): Promise<UserRow> {
  const facts = { [`${provider}_verified`]: true }
  await mergeIdentity(tx, user.id, provider, facts, at)
  await updateUser(tx, user.id, {
    [`${provider}_confirmed_at`]: user[`${provider}_confirmed_at`] ?? at,
    is_anonymous: false,
    raw_user_meta_data: { ...user.raw_user_meta_data, ...facts },
    updated_at: at,
  })
  return reload(tx, user.id)
}

/** Gives the account a proved address in place of the one it had, if any. Errors: SqlError 23505 when it is taken. */
export async function changeAddress(
  tx: Transaction,
  user: UserRow,
  address: Address,
  at: string,
): Promise<UserRow> {
  const provider = providerOf(address)
  const facts = { ...address, [`${provider}_verified`]: true }
  await putAddressIdentity(tx, user.id, provider, facts, at)
  const known = (user.raw_app_meta_data?.providers as string[] | undefined) ?? []
  const providers = known.includes(provider) ? known : [...known, provider]
  await updateUser(tx, user.id, {
    ...address,
    ...('email' in address
      ? { email_confirmed_at: at, email_change: '', email_change_confirm_status: 0 }
      : { phone_confirmed_at: at, phone_change: '' }),
    is_anonymous: false,
    raw_app_meta_data: { ...user.raw_app_meta_data, ...namedProviders(providers) },
    raw_user_meta_data: { ...user.raw_user_meta_data, ...facts, sub: user.id },
    updated_at: at,
  })
  return reload(tx, user.id)
}

/** New keys are added, known ones replaced, and those set to null removed. */
export const mergeMetadata = (known: Metadata | null, changes: Metadata): Metadata =>
  Object.fromEntries(Object.entries({ ...known, ...changes }).filter(([, value]) => value !== null))

/** The account as it is now. */
export async function reload(tx: Transaction, id: string): Promise<UserRow> {
  const user = await findUser(tx, { id })
  if (!user) throw new Error('the account vanished inside a transaction')
  return user
}

/** Writes into app_metadata which providers the account's identities are of. */
export async function renewProviders(tx: Transaction, userId: string, at: string): Promise<UserRow> {
  const user = await reload(tx, userId)
  const providers = [...new Set(user.identities.map((identity) => identity.provider))]
  await updateUser(tx, userId, {
    raw_app_meta_data: { ...user.raw_app_meta_data, provider: providers[0], providers },
    updated_at: at,
  })
  return reload(tx, userId)
}

interface Claim {
  at: string
  /** The identity by which the address was proved. Without one, it was proved by a message to it. */
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
    raw_user_meta_data: { ...adminsMetadata(user), ...addressFacts(user.id, user) },
    updated_at: at,
  })
  if (!identity) await restoreAddresses(tx, user, at)
  return renewProviders(tx, user.id, at)
}

/** Only a sign-up sends a confirmation without an invitation; the others' metadata was written by an admin. */
const adminsMetadata = ({ invited_at, confirmation_sent_at, raw_user_meta_data }: UserRow): Metadata =>
  invited_at || !confirmation_sent_at ? { ...raw_user_meta_data } : {}

async function restoreAddresses(tx: Transaction, user: UserRow, at: string): Promise<void> {
  const facts = addressFacts(user.id, user)
  if (user.email) await putAddressIdentity(tx, user.id, 'email', facts, at)
  if (user.phone) await putAddressIdentity(tx, user.id, 'phone', facts, at)
}

/**
 * Makes an address free for somebody who has proved it: an account that nobody confirmed, and that no admin made,
 * must not keep it from its owner. Gives back the account that does hold it.
 */
export async function evictUnconfirmedHolder(
  tx: Transaction,
  address: Address,
): Promise<UserRow | undefined> {
  const holder = await findUser(tx, address)
  if (!holder || holder.confirmed_at || holder.invited_at || !holder.confirmation_sent_at) return holder
  // It may be confirmed at this very moment: the row is looked at again once nobody else changes it.
  const sql = 'delete from auth.users where id = $1 and confirmed_at is null'
  return (await tx.query(sql, [holder.id])).affected > 0 ? undefined : holder
}

interface Spared {
  /** The session in which the change is made: whoever makes it stays signed in. */
  sessionId?: string | undefined
  /** The PKCE flow that the change itself ends. */
  flowId?: string | undefined
}

/**
 * After a new password or address, or a deletion: ends the sessions of the account, and voids whatever was begun
 * for it and not finished. In the transaction of the change, with the account's row locked.
 */
export async function revokeAccess(tx: Transaction, userId: string, spared: Spared = {}): Promise<void> {
  await voidPending(tx, userId, spared)
  await deleteSessions(tx, { userId, ...(spared.sessionId && { except: spared.sessionId }) })
}

/**
 * Voids mailed and texted links and codes, codes of PKCE flows, flows that link an identity, changes of an address,
 * and passkeys that are about to be added. A ban does this alone: sessions rest as long as it lasts, as in GoTrue.
 */
export async function voidPending(
  tx: Transaction,
  userId: string,
  { flowId }: Pick<Spared, 'flowId'> = {},
): Promise<void> {
  await deleteTokensOf(tx, userId)
  await tx.query(
    `delete from auth.flow_state where (user_id = $1 or linking_target_id = $1) and ($2::uuid is null or id <> $2::uuid)`,
    [userId, flowId ?? null],
  )
  await tx.query('delete from auth.webauthn_challenges where user_id = $1', [userId])
  await updateUser(tx, userId, { email_change: '', email_change_confirm_status: 0, phone_change: '' })
}
