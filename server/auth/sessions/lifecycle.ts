import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import {
  type Client,
  clientOf,
  type Endpoint,
  nowIso,
  type Services,
  type SessionLimits,
} from '../context.ts'
import { authErrors } from '../errors.ts'
import { readBody } from '../request-body.ts'
import { digest } from '../secrets.ts'
import { reload } from '../users/accounts.ts'
import { findUser, touchIdentity, updateUser } from '../users/queries.ts'
import { isBanned, renderUser, type UserRow } from '../users/user.ts'
import {
  type AmrEntry,
  activeRefreshToken,
  amrOf,
  deleteSessions,
  endTokens,
  findRefreshToken,
  findSession,
  insertRefreshToken,
  insertSession,
  type RefreshTokenRow,
  revokeRefreshTokens,
  type SessionRow,
  touchSession,
} from './queries.ts'

/** A session as it stands when its transaction ends; only the access token is still to be signed. */
export interface IssuedSession {
  user: UserRow
  session: SessionRow
  amr: AmrEntry[]
  refreshToken: string
}

interface Start {
  user: UserRow
  /** The claim `amr` names it (protocol.md 2.3). */
  method: string
  client: Client
  /** When the one who vouched for the user wants the session to end. */
  notAfter?: string | undefined
}

/** Opens a session for somebody who has just proved who they are. */
export async function startSession(
  tx: Transaction,
  services: Services,
  start: Start,
): Promise<IssuedSession> {
  const { user, method, client } = start
  const now = services.now()
  const at = new Date(now).toISOString()
  const notAfter = endOf(now, services.settings.sessions, start.notAfter)
  const session = await insertSession(tx, { userId: user.id, method, at, notAfter, ...client })
  const refreshToken = services.secrets.refreshToken(session.id, null)
  await insertRefreshToken(tx, { session, token: digest(refreshToken), parent: null, at })
  await updateUser(tx, user.id, { last_sign_in_at: at, updated_at: at })
  if (method === 'password' || method === 'otp')
    await touchIdentity(tx, user.id, user.email ? 'email' : 'phone', at)
  return { user: await reload(tx, user.id), session, amr: await amrOf(tx, session.id), refreshToken }
}

/** Policies may ask which organisation's sign-on opened the session, as on a hosted project. */
function withOrganisation(entry: AmrEntry, { identities }: UserRow): AmrEntry & { provider?: string } {
  const provider = identities.find((identity) => identity.provider.startsWith('sso:'))?.provider.slice(4)
  return entry.method === 'sso/saml' && provider ? { ...entry, provider } : entry
}

/** The earlier of the owner's limit and the provider's, if there is any. */
function endOf(
  now: number,
  { timeBoxSeconds }: SessionLimits,
  providersEnd: string | undefined,
): string | null {
  const limit = timeBoxSeconds === undefined ? [] : [now + timeBoxSeconds * 1000]
  const ends = [...limit, ...(providersEnd === undefined ? [] : [Date.parse(providersEnd)])]
  return ends.length === 0 ? null : new Date(Math.min(...ends)).toISOString()
}

/**
 * The answer that opens or prolongs a session on the client. Never within a transaction: signing may have to look for
 * new keys, and such work must not wait for a second connection while it holds one.
 */
export async function tokenResponse(
  { tokens }: Services,
  { user, session, amr, refreshToken }: IssuedSession,
) {
  const claims = {
    sub: user.id,
    aud: user.aud ?? 'authenticated',
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    role: user.role ?? 'authenticated',
    aal: session.aal,
    amr: amr.map((entry) => withOrganisation(entry, user)),
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  }
  const notAfter = session.not_after === null ? undefined : Date.parse(session.not_after) / 1000
  const { token, expiresAt, expiresIn } = await tokens.sign(claims, notAfter)
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: expiresIn,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: renderUser(user),
  }
}

const Body = z.object({
  refresh_token: z.string('refresh_token is required').regex(/^[\w-]{12,256}$/, 'Refresh token is not valid'),
})

/** POST /token?grant_type=refresh_token: the next pair of tokens of a session. */
export const refreshSession: Endpoint = async (c) => {
  const { services } = c.var
  const { refresh_token: token } = await readBody(c, Body)
  const outcome = await services.db.asOwner('refresh', (tx) => refresh(tx, services, token, clientOf(c)))
  if ('ended' in outcome) throw outcome.ended
  return c.json(await tokenResponse(services, outcome.issued))
}

/** Two tabs waking together spend the same token: the slower one gets what the faster one got. */
const REUSE_GRACE_MS = 10_000

/** Either the session goes on, or it has to end; that it ended must be kept although the call fails. */
type Refreshed = { issued: IssuedSession } | { ended: Error }

/**
 * Spends a refresh token (protocol.md 2.4). The session's row is locked, so that of two processes with the same token
 * one rotates it and the other sees that it did.
 */
async function refresh(
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
  return { issued: { user, session, amr: await amrOf(tx, session.id), refreshToken: next } }
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
  const at = nowIso({ now })
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
  await revokeRefreshTokens(tx, session.id, nowIso({ now }))
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

/** POST /logout: ends all of the user's sessions (`global`), this one (`local`), or all but this one (`others`). */
export const logOut: Endpoint = async (c) => {
  const { services, member } = c.var
  const { user, session } = member
  const scope = c.req.query('scope') || 'global'
  if (!['global', 'local', 'others'].includes(scope)) {
    throw authErrors.invalid(`Unsupported logout scope "${scope.slice(0, 20)}"`)
  }
  await services.db.asOwner('sign-out', async (tx) => {
    if (scope === 'local') await deleteSessions(tx, { id: session.id })
    else await deleteSessions(tx, { userId: user.id, ...(scope === 'others' && { except: session.id }) })
    await audit(tx, { action: 'logout', actor: user, client: clientOf(c), traits: { scope } })
  })
  return c.body(null, 204)
}
