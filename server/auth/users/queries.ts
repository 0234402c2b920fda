import { randomUUID } from 'node:crypto'
import type { Transaction, Value } from '#server/database/port.ts'
import type { AddressProvider, Metadata, UserChanges, UserRow } from './user.ts'

/** The whole account in one row. `to_jsonb` writes times as ISO 8601; a factor's secret stays where it is. */
const SELECT_USER = `
  select to_jsonb(u) || jsonb_build_object(
    'identities', coalesce((
      select jsonb_agg(to_jsonb(i) order by i.created_at, i.id) from auth.identities i where i.user_id = u.id
    ), '[]'),
    'factors', coalesce((
      select jsonb_agg(to_jsonb(f) - 'secret' order by f.created_at, f.id) from auth.mfa_factors f where f.user_id = u.id
    ), '[]')
  ) as account
  from auth.users u`

type By =
  | { id: string }
  | { email: string }
  | { phone: string }
  | { emailChange: string }
  | { phoneChange: string }

const conditions = {
  id: 'u.id = $1',
  email: 'lower(u.email) = $1 and not u.is_sso_user',
  phone: 'u.phone = $1 and not u.is_sso_user',
  // Several people may be about to change to one address; the last to ask is meant.
  emailChange: 'u.email_change = $1',
  phoneChange: 'u.phone_change = $1',
} as const

interface Options {
  /** Keeps others from changing the account until the transaction ends. */
  lock?: boolean
}

/** The account with that id or address, if there is one. Addresses in their normal form (`email` and `phone` of request-body.ts). */
export async function findUser(
  tx: Transaction,
  by: By,
  { lock = false }: Options = {},
): Promise<UserRow | undefined> {
  if (lock) {
    const id = await lockUser(tx, by)
    return id === undefined ? undefined : findUser(tx, { id })
  }
  const [condition, value] = conditionOf(by)
  const { rows } = await tx.query<{ account: UserRow }>(
    `${SELECT_USER} where ${condition} order by u.updated_at desc limit 1`,
    [value],
  )
  return rows[0]?.account
}

/**
 * A statement of its own: one that waits for a lock goes on with the row as it is then, but with the identities and
 * factors as they were when it began.
 */
async function lockUser(tx: Transaction, by: By): Promise<string | undefined> {
  const [condition, value] = conditionOf(by)
  const { rows } = await tx.query<{ id: string }>(
    `select u.id from auth.users u where ${condition} order by u.updated_at desc limit 1 for update`,
    [value],
  )
  return rows[0]?.id
}

const conditionOf = (by: By): [condition: string, value: string] => {
  const [key, value] = Object.entries(by)[0] as [keyof typeof conditions, string]
  return [conditions[key], value]
}

export interface Page {
  page: number
  perPage: number
}

/** One page of all accounts, the newest first, and how many there are. `filter` is a part of an address or a name. */
export async function listUsers(tx: Transaction, { page, perPage }: Page, filter: string) {
  const where = `u.deleted_at is null and ($1 = '' or u.email ilike $2 or u.phone ilike $2
    or u.raw_user_meta_data ->> 'full_name' ilike $2 or u.raw_user_meta_data ->> 'name' ilike $2)`
  const filters = [filter, `%${filter.replaceAll(/[\\%_]/g, '\\$&')}%`]
  const { rows: counts } = await tx.query<{ total: number }>(
    `select count(*) as total from auth.users u where ${where}`,
    filters,
  )
  const { rows } = await tx.query<{ account: UserRow }>(
    `${SELECT_USER} where ${where} order by u.created_at desc, u.id limit $3 offset $4`,
    [...filters, perPage, (page - 1) * perPage],
  )
  return { users: rows.map((row) => row.account), total: counts[0]?.total ?? 0 }
}

/** What a new account needs; the rest follows. */
interface NewUser extends UserChanges {
  id: string
  created_at: string
}

const NO_INSTANCE = '00000000-0000-0000-0000-000000000000'

export async function insertUser(tx: Transaction, user: NewUser): Promise<void> {
  const columns = { instance_id: NO_INSTANCE, aud: 'authenticated', role: 'authenticated', ...user }
  const names = Object.keys(columns)
  await tx.query(
    `insert into auth.users (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(columns).map(toValue),
  )
}

/** Writes the given columns; their names come from our own code. `updated_at` must be among them where it matters. */
export async function updateUser(tx: Transaction, id: string, changes: UserChanges): Promise<void> {
  const assignments = Object.keys(changes).map((name, i) => `${name} = $${i + 2}`)
  await tx.query(`update auth.users set ${assignments.join(', ')} where id = $1`, [
    id,
    ...Object.values(changes).map(toValue),
  ])
}

export async function deleteUser(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from auth.users where id = $1', [id])
}

/** JSON columns take JSON text. */
const toValue = (value: unknown): Value =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : ((value ?? null) as Value)

interface NewIdentity {
  userId: string
  provider: string
  /** The provider's own name for the person; for e-mail and phone it is the user id. */
  providerId: string
  data: Metadata
  at: string
}

export async function insertIdentity(
  tx: Transaction,
  { userId, provider, providerId, data, at }: NewIdentity,
) {
  await tx.query(
    `insert into auth.identities
       (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6, $6)`,
    [randomUUID(), providerId, userId, JSON.stringify(data), provider, at],
  )
}

/** Merges into what is known of an identity. Nothing happens when there is none of that provider. */
export async function mergeIdentity(
  tx: Transaction,
  userId: string,
  provider: string,
  data: Metadata,
  at: string,
) {
  await tx.query(
    `update auth.identities set identity_data = identity_data || $3::jsonb, updated_at = $4
     where user_id = $1 and provider = $2`,
    [userId, provider, JSON.stringify(data), at],
  )
}

export async function touchIdentity(tx: Transaction, userId: string, provider: string, at: string) {
  await tx.query(
    'update auth.identities set last_sign_in_at = $3, updated_at = $3 where user_id = $1 and provider = $2',
    [userId, provider, at],
  )
}

/** The identity of an address: made when it is not there yet, changed otherwise. */
export async function putAddressIdentity(
  tx: Transaction,
  userId: string,
  provider: AddressProvider,
  data: Metadata,
  at: string,
) {
  await tx.query(
    `insert into auth.identities
       (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     values ($1, $2::text, ($2::text)::uuid, $3, $4, $5, $5, $5)
     on conflict (provider_id, provider)
       do update set identity_data = auth.identities.identity_data || excluded.identity_data, updated_at = $5`,
    [randomUUID(), userId, JSON.stringify({ sub: userId, ...data }), provider, at],
  )
}
