import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { insertIdentity, mergeIdentity, putAddressIdentity } from './identities.ts'
import { findUser, insertUser, updateUser } from './repository.ts'
import type { Metadata, UserChanges, UserRow } from './rows.ts'

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
const addressFacts = (sub: string, { email, phone }: Pick<NewAccount, 'email' | 'phone'>): Metadata => ({
  sub,
  ...(email && { email }),
  ...(phone && { phone }),
  email_verified: false,
  phone_verified: false,
})

/** app_metadata names all providers, and the first of them again by itself. */
const namedProviders = (providers: readonly string[]): Metadata =>
  providers.length > 0 ? { provider: providers[0], providers } : {}

/** The address is proved to be this person's. */
export async function confirmEmail(tx: Transaction, user: UserRow, at: string): Promise<UserRow> {
  const facts = { email_verified: true }
  await mergeIdentity(tx, user.id, 'email', facts, at)
  await updateUser(tx, user.id, {
    email_confirmed_at: user.email_confirmed_at ?? at,
    is_anonymous: false,
    raw_user_meta_data: { ...user.raw_user_meta_data, ...facts },
    updated_at: at,
  })
  return reload(tx, user.id)
}

export async function confirmPhone(tx: Transaction, user: UserRow, at: string): Promise<UserRow> {
  const facts = { phone_verified: true }
  await mergeIdentity(tx, user.id, 'phone', facts, at)
  await updateUser(tx, user.id, {
    phone_confirmed_at: user.phone_confirmed_at ?? at,
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
  change: { email: string } | { phone: string },
  at: string,
): Promise<UserRow> {
  const provider = 'email' in change ? 'email' : 'phone'
  const facts = { ...change, [`${provider}_verified`]: true }
  await putAddressIdentity(tx, user.id, provider, facts, at)
  const known = (user.raw_app_meta_data?.providers as string[] | undefined) ?? []
  const providers = known.includes(provider) ? known : [...known, provider]
  await updateUser(tx, user.id, {
    ...change,
    ...('email' in change
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
