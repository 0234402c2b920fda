import type { Transaction } from '#server/database/port.ts'
import { insertIdentity } from '../users/queries.ts'
import type { Arrival } from './arrival.ts'

/** The account that an identity belongs to. */
export async function ownerOf(
  tx: Transaction,
  provider: string,
  subject: string,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ user_id: string }>(
    'select user_id from auth.identities where provider = $1 and provider_id = $2',
    [provider, subject],
  )
  return rows[0]?.user_id
}

/** What the provider says now takes the place of what it said before. */
export async function refreshIdentity(tx: Transaction, { provider, person, at }: Arrival): Promise<void> {
  await tx.query(
    `update auth.identities set identity_data = $3, last_sign_in_at = $4, updated_at = $4
     where provider = $1 and provider_id = $2`,
    [provider, person.subject, JSON.stringify(person.facts), at],
  )
}

export const addIdentity = (tx: Transaction, userId: string, { provider, person, at }: Arrival) =>
  insertIdentity(tx, { userId, provider, providerId: person.subject, data: person.facts, at })

export async function deleteIdentity(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from auth.identities where id = $1', [id])
}
