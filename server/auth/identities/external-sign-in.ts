import type { Transaction } from '#server/database/port.ts'
import type { Client } from '../context.ts'
import type { Person } from '../oauth/provider.ts'
import type { Challenge } from '../secrets.ts'
import { insertIdentity } from '../users/queries.ts'

/** Somebody whom a provider has just vouched for. */
export interface ExternalSignIn {
  /** `google`, …, or `sso:<id>` for an organisation's own. */
  provider: string
  person: Person
  client: Client
  at: string
  /** For the mail that confirms an address which the provider has not. */
  redirectTo: string
  challenge: Challenge | undefined
}

/** Organisations vouch for their own people only: their accounts stand apart from all others. */
export const isOrganisation = (provider: string): boolean => provider.startsWith('sso:')

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
export async function refreshIdentity(
  tx: Transaction,
  { provider, person, at }: ExternalSignIn,
): Promise<void> {
  await tx.query(
    `update auth.identities set identity_data = $3, last_sign_in_at = $4, updated_at = $4
     where provider = $1 and provider_id = $2`,
    [provider, person.subject, JSON.stringify(person.facts), at],
  )
}

export const addIdentity = (tx: Transaction, userId: string, { provider, person, at }: ExternalSignIn) =>
  insertIdentity(tx, { userId, provider, providerId: person.subject, data: person.facts, at })

export async function deleteIdentity(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from auth.identities where id = $1', [id])
}
