import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client, Services } from '../context.ts'
import { authErrors } from '../errors.ts'
import { digest } from '../secrets.ts'
import type { SessionLimits } from '../settings.ts'
import { findUser } from '../users/repository.ts'
import { isBanned, type UserRow } from '../users/rows.ts'
import {
  activeRefreshToken,
  endTokens,
  findRefreshToken,
  findSession,
  insertRefreshToken,
  proofsOf,
  type RefreshTokenRow,
  revokeRefreshTokens,
  type SessionRow,
  touchSession,
} from './repository.ts'
import type { IssuedSession } from './start.ts'

/** Two tabs waking together spend the same token: the slower one gets what the faster one got. */
const REUSE_GRACE_MS = 10_000

/** Either the session goes on, or it has to end; that it ended must be kept although the call fails. */
export type Refreshed = { issued: IssuedSession } | { ended: Error }

/**
 * Spends a refresh token (protocol.md 2.4). The session's row is locked, so that of two processes with the same token
 * one rotates it and the other sees that it did.
 */
export async function refresh(
  tx: Transaction,
  services: Services,
  token: string,
  client: Client,
): Promise<Refreshed> {
  const found = await findRefreshToken(tx, digest(token))
  const session = found && (await findSession(tx, found.session_id, { lock: true }))
  // Read again: it may have been spent while we waited for the lock.
  const spent = session && (await findRefreshToken(tx, digest(token)))
  if (!session || !spent) throw authErrors.refreshTokenNotFound()
  const user = await findUser(tx, { id: session.user_id })
  if (!user || user.deleted_at) throw authErrors.sessionNotFound(400)
  if (isBanned(user, services.now())) throw authErrors.banned(400)
  const overdue = whyOver(session, services.settings.sessions, services.now())
  if (overdue) throw authErrors.sessionExpired(overdue)
  const next = await nextToken(tx, services, session, spent)
  if (!next) return endSession(tx, services, { session, user, client })
  await audit(tx, { action: 'token_refreshed', actor: user, client })
  return { issued: { user, session, proofs: await proofsOf(tx, session.id), refreshToken: next } }
}

/** The token to go on with: a new one for the active one, the active one for its parent or a recently spent one. */
async function nextToken(
  tx: Transaction,
  { secrets, now }: Services,
  session: SessionRow,
  spent: RefreshTokenRow,
): Promise<string | undefined> {
  const active = await activeRefreshToken(tx, session.id)
  if (!active) return undefined
  if (spent.revoked) {
    const isRecent = now() - Date.parse(isoOf(spent.updated_at)) < REUSE_GRACE_MS
    if (active.parent !== spent.token && !isRecent) return undefined
    const again = secrets.refreshToken(session.id, active.parent)
    // Not the same only when the API's secret key was changed meanwhile; then the active one is spent in its place.
    if (digest(again) === active.token) return again
  }
  return rotate(tx, { secrets, now }, session, active)
}

/** Spends the active token; the session's row must be locked. */
export async function rotate(
  tx: Transaction,
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  session: SessionRow,
  active: RefreshTokenRow,
): Promise<string> {
  const at = new Date(now()).toISOString()
  const fresh = secrets.refreshToken(session.id, active.token)
  await revokeRefreshTokens(tx, session.id, at)
  await insertRefreshToken(tx, { session, token: digest(fresh), parent: active.token, at })
  await touchSession(tx, session.id, at)
  return fresh
}

/** A spent token that turns up late was stolen, from us or by us: nobody goes on with this session. */
async function endSession(
  tx: Transaction,
  { now }: Services,
  { session, user, client }: { session: SessionRow; user: UserRow; client: Client },
): Promise<Refreshed> {
  await revokeRefreshTokens(tx, session.id, new Date(now()).toISOString())
  await endTokens(tx, session.id)
  await audit(tx, { action: 'token_revoked', actor: user, client })
  return { ended: authErrors.refreshTokenUsed() }
}

/** Why a session is over by the owner's limits, if it is. */
function whyOver(session: SessionRow, { inactivitySeconds }: SessionLimits, now: number): string | undefined {
  if (session.not_after && Date.parse(session.not_after) <= now) return 'Expired'
  const lastUse = Date.parse(session.refreshed_at ?? session.created_at)
  const isIdle = inactivitySeconds !== undefined && lastUse + inactivitySeconds * 1000 <= now
  return isIdle ? 'Inactivity' : undefined
}

/** PostgreSQL writes `2026-01-31 12:00:00.5+00`. */
const isoOf = (text: string): string => text.replace(' ', 'T').replace(/\+00$/, 'Z')
