import { createHash } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { revokeAccess } from './accounts.ts'
import { updateUser } from './queries.ts'
import type { UserRow } from './user.ts'

const MAX_PHONE = 15

/** Keeps the id for what refers to it, and nothing that tells who it was. The addresses are free again. */
export async function softDeleteUser(tx: Transaction, user: UserRow, at: string): Promise<void> {
  await updateUser(tx, user.id, {
    email: user.email && obscured(user, user.email),
    phone: user.phone && obscured(user, user.phone).slice(0, MAX_PHONE),
    encrypted_password: null,
    raw_user_meta_data: {},
    raw_app_meta_data: {},
    deleted_at: at,
    updated_at: at,
  })
  await tx.query(
    `update auth.identities set identity_data = '{}', provider_id = $2 || ':' || id, updated_at = $3 where user_id = $1`,
    [user.id, 'deleted', at],
  )
  await tx.query('delete from auth.mfa_factors where user_id = $1', [user.id])
  await tx.query('delete from auth.webauthn_credentials where user_id = $1', [user.id])
  await revokeAccess(tx, user.id)
}

const obscured = ({ id }: UserRow, address: string): string =>
  createHash('sha256').update(`${id}:${address}`).digest('base64url')
