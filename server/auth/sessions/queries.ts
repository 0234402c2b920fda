import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'

export interface SessionRow {
  id: string
  user_id: string
  aal: 'aal1' | 'aal2'
  created_at: string
  refreshed_at: string | null
  not_after: string | null
}

/** One way in which the person of a session proved who they are. */
export interface AmrEntry {
  method: string
  /** Seconds since 1970. */
  timestamp: number
}

export interface RefreshTokenRow {
  id: number
  /** Digests: see secrets.ts. */
  token: string
  parent: string | null
  revoked: boolean
  session_id: string
  updated_at: string
}

const SESSION = `select to_jsonb(s) as session from auth.sessions s`

export async function findSession(
  tx: Transaction,
  id: string,
  { lock = false } = {},
): Promise<SessionRow | undefined> {
  const { rows } = await tx.query<{ session: SessionRow }>(
    `${SESSION} where s.id = $1 ${lock ? 'for update' : ''}`,
    [id],
  )
  return rows[0]?.session
}

interface NewSession {
  userId: string
  method: string
  at: string
  notAfter: string | null
  address: string | undefined
  userAgent: string
}

/** A session at aal1, with the proof that opened it. */
export async function insertSession(tx: Transaction, session: NewSession): Promise<SessionRow> {
  const id = randomUUID()
  await tx.query(
    `insert into auth.sessions (id, user_id, created_at, updated_at, aal, not_after, user_agent, ip)
     values ($1, $2, $3, $3, 'aal1', $4, $5, $6)`,
    [id, session.userId, session.at, session.notAfter, session.userAgent, session.address ?? null],
  )
  await tx.query(
    `insert into auth.mfa_amr_claims (session_id, authentication_method, created_at, updated_at) values ($1, $2, $3, $3)`,
    [id, session.method, session.at],
  )
  return (await findSession(tx, id)) as SessionRow
}

/** How the person proved who they are, the newest proof first: the claim `amr`. */
export async function amrOf(tx: Transaction, sessionId: string): Promise<AmrEntry[]> {
  const { rows } = await tx.query<AmrEntry>(
    `select authentication_method as method, extract(epoch from updated_at)::bigint as timestamp
     from auth.mfa_amr_claims where session_id = $1 order by updated_at desc, id`,
    [sessionId],
  )
  return rows
}

export async function touchSession(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.query('update auth.sessions set refreshed_at = $2, updated_at = $2 where id = $1', [id, at])
}

/** Ends sessions, and with them their refresh tokens. */
export async function deleteSessions(
  tx: Transaction,
  which: { id: string } | { userId: string; except?: string },
) {
  if ('id' in which) return void (await tx.query('delete from auth.sessions where id = $1', [which.id]))
  await tx.query('delete from auth.sessions where user_id = $1 and ($2::uuid is null or id <> $2::uuid)', [
    which.userId,
    which.except ?? null,
  ])
}

/** A session that stays, for its refresh tokens to be recognised, but is over: its access tokens are not believed. */
export const endTokens = (tx: Transaction, sessionId: string) =>
  tx.query('select platform.end_tokens(array[$1]::uuid[])', [sessionId])

export async function hasEnded(tx: Transaction, sessionId: string): Promise<boolean> {
  const { rows } = await tx.query('select from platform.ended_tokens where id = $1 and until > now()', [
    sessionId,
  ])
  return rows.length > 0
}

const TOKEN = 'select id, token, parent, revoked, session_id, updated_at from auth.refresh_tokens'

export async function findRefreshToken(tx: Transaction, token: string): Promise<RefreshTokenRow | undefined> {
  return (await tx.query<RefreshTokenRow>(`${TOKEN} where token = $1`, [token])).rows[0]
}

/** The one token of a session that can still be used. */
export async function activeRefreshToken(
  tx: Transaction,
  sessionId: string,
): Promise<RefreshTokenRow | undefined> {
  const { rows } = await tx.query<RefreshTokenRow>(
    `${TOKEN} where session_id = $1 and not revoked order by id desc limit 1`,
    [sessionId],
  )
  return rows[0]
}

interface NewRefreshToken {
  session: Pick<SessionRow, 'id' | 'user_id'>
  token: string
  parent: string | null
  at: string
}

export async function insertRefreshToken(tx: Transaction, { session, token, parent, at }: NewRefreshToken) {
  await tx.query(
    `insert into auth.refresh_tokens (token, parent, user_id, session_id, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $5)`,
    [token, parent, session.user_id, session.id, at],
  )
}

export async function revokeRefreshTokens(tx: Transaction, sessionId: string, at: string): Promise<void> {
  await tx.query(
    'update auth.refresh_tokens set revoked = true, updated_at = $2 where session_id = $1 and not revoked',
    [sessionId, at],
  )
}
