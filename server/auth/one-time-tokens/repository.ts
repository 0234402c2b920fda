import type { Transaction } from '#server/database/port.ts'

/** What a one-time token is for, under GoTrue's names. */
export type TokenType =
  | 'confirmation_token'
  | 'recovery_token'
  | 'email_change_token_current'
  | 'email_change_token_new'
  | 'phone_change_token'
  | 'reauthentication_token'

export interface OneTimeTokenRow {
  id: string
  user_id: string
  token_type: TokenType
  token_hash: string
  /** The address that the token was sent to. */
  relates_to: string
  created_at: string
}

const TOKEN = 'select to_jsonb(t) as token from auth.one_time_tokens t'

export async function findTokenByHash(tx: Transaction, hash: string): Promise<OneTimeTokenRow | undefined> {
  return (await tx.query<{ token: OneTimeTokenRow }>(`${TOKEN} where t.token_hash = $1`, [hash])).rows[0]
    ?.token
}

export async function findTokensOf(tx: Transaction, userId: string): Promise<OneTimeTokenRow[]> {
  const { rows } = await tx.query<{ token: OneTimeTokenRow }>(`${TOKEN} where t.user_id = $1`, [userId])
  return rows.map((row) => row.token)
}

/** Puts a token in the place of an earlier one of its type; gives that one back. */
export async function replaceToken(
  tx: Transaction,
  token: OneTimeTokenRow,
): Promise<OneTimeTokenRow | undefined> {
  const { rows } = await tx.query<{ token: OneTimeTokenRow }>(
    `delete from auth.one_time_tokens t where user_id = $1 and token_type = $2::auth.one_time_token_type
     returning to_jsonb(t) as token`,
    [token.user_id, token.token_type],
  )
  await tx.query(
    `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)`,
    [token.id, token.user_id, token.token_type, token.token_hash, token.relates_to, token.created_at],
  )
  return rows[0]?.token
}

/** Uses a token up. Of two who try at once, one is told true. */
export async function takeToken(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query('delete from auth.one_time_tokens where id = $1', [id])).affected === 1
}

export async function deleteTokensOf(tx: Transaction, userId: string): Promise<void> {
  await tx.query('delete from auth.one_time_tokens where user_id = $1', [userId])
}
