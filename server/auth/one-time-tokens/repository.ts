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
  /** The PKCE flow that the link brings to an end. */
  flow_state_id: string | null
  /** The session that asked for it, as long as it lasts. */
  session_id: string | null
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

/** Puts a token in the place of an earlier one of its type. */
export async function replaceToken(tx: Transaction, token: OneTimeTokenRow): Promise<void> {
  await tx.query(
    'delete from auth.one_time_tokens where user_id = $1 and token_type = $2::auth.one_time_token_type',
    [token.user_id, token.token_type],
  )
  await tx.query(
    `insert into auth.one_time_tokens
       (id, user_id, token_type, token_hash, relates_to, created_at, updated_at, flow_state_id, session_id)
     values ($1, $2, $3, $4, $5, $6, $6, $7, $8)`,
    [
      token.id,
      token.user_id,
      token.token_type,
      token.token_hash,
      token.relates_to,
      token.created_at,
      token.flow_state_id,
      token.session_id,
    ],
  )
}

/** Lets the time of a token begin. False: there is no such token any more. */
export async function renewToken(tx: Transaction, id: string, at: string): Promise<boolean> {
  const { affected } = await tx.query(
    'update auth.one_time_tokens set created_at = $2, updated_at = $2 where id = $1',
    [id, at],
  )
  return affected === 1
}

/** Uses a token up. Of two who try at once, one is told true. */
export async function takeToken(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query('delete from auth.one_time_tokens where id = $1', [id])).affected === 1
}

export async function deleteTokensOf(tx: Transaction, userId: string, type?: TokenType): Promise<void> {
  await tx.query(
    'delete from auth.one_time_tokens where user_id = $1 and ($2::text is null or token_type::text = $2)',
    [userId, type ?? null],
  )
}
