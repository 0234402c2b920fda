import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import type { Metadata } from './rows.ts'

export interface NewIdentity {
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

/** The address of a way in: made when it is not there yet, changed otherwise. */
export async function putAddressIdentity(
  tx: Transaction,
  userId: string,
  provider: 'email' | 'phone',
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
