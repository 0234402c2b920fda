import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import { type Client, type Member, nowIso, type Services } from '../context.ts'
import { authErrors, mfaErrors } from '../errors.ts'
import { type IssuedSession, rotate } from '../sessions/lifecycle.ts'
import { activeRefreshToken, amrOf, findSession } from '../sessions/queries.ts'
import { reload } from '../users/accounts.ts'
import { findUser } from '../users/queries.ts'
import { type FactorRow, isBanned, type UserRow } from '../users/user.ts'

export const hasSecondFactor = ({ factors }: Pick<UserRow, 'factors'>): boolean =>
  factors.some(({ status }) => status === 'verified')

/** How a refusal is told; GoTrue's calls differ in it. */
export interface Aal2Refusal {
  status?: 401 | 403 | 422
  message?: string
}

/**
 * Whoever has a second factor must have given it, or else a stolen password could add, change and remove what the
 * account is protected by. Errors: insufficient_aal.
 */
export function mustBeAal2IfEnrolled(
  { user, session }: Member,
  { status = 403, message }: Aal2Refusal = {},
): void {
  if (hasSecondFactor(user) && session.aal !== 'aal2') throw mfaErrors.insufficientAal(status, message)
}

interface LockOptions {
  /** Milliseconds since 1970. */
  now: number
  refusal?: Aal2Refusal
  /** For calls that ask for a second factor only sometimes. */
  aal2?: boolean
}

/**
 * The member as they are now, locked until the transaction ends. What the guards saw when the request came may be over:
 * the session ended by a new password, a factor added in another tab. Every change of the ways in begins with it.
 * Errors: user_not_found, user_banned, session_not_found, insufficient_aal.
 */
export async function lockMember(
  tx: Transaction,
  member: Member,
  { now, refusal, aal2 = true }: LockOptions,
): Promise<Member> {
  const user = await findUser(tx, { id: member.user.id }, { lock: true })
  if (!user) throw authErrors.userNotFound(403)
  if (isBanned(user, now)) throw authErrors.banned(403)
  const session = await findSession(tx, member.session.id)
  if (session?.user_id !== user.id) throw authErrors.sessionNotFound()
  if (aal2) mustBeAal2IfEnrolled({ user, session }, refusal)
  return { user, session }
}

/** How the claim `amr` names a second factor (protocol.md 2.3). */
const methods: Readonly<Record<FactorRow['factor_type'], string>> = {
  totp: 'totp',
  phone: 'mfa/phone',
  webauthn: 'mfa/webauthn',
  recovery_code: 'mfa/recovery_code',
}

interface Upgrade extends Member {
  factor: Pick<FactorRow, 'id' | 'factor_type'>
  client: Client
}

/**
 * The same session, now at aal2, with fresh tokens. The user's sessions that have given one proof only end: one of them
 * may be somebody else's. Errors: session_not_found.
 */
export async function upgradeSession(
  tx: Transaction,
  services: Services,
  { user, session: { id }, factor, client }: Upgrade,
): Promise<IssuedSession> {
  // Two sessions of one account that are upgraded at once would wait for each other.
  await findUser(tx, { id: user.id }, { lock: true })
  const at = nowIso(services)
  await tx.query(`update auth.sessions set aal = 'aal2', factor_id = $2, updated_at = $3 where id = $1`, [
    id,
    factor.id,
    at,
  ])
  const session = await findSession(tx, id, { lock: true })
  const active = session && (await activeRefreshToken(tx, id))
  if (!active) throw authErrors.sessionNotFound()
  await tx.query(
    `insert into auth.mfa_amr_claims (session_id, authentication_method, created_at, updated_at)
     values ($1, $2, $3, $3) on conflict (session_id, authentication_method) do update set updated_at = $3`,
    [id, methods[factor.factor_type], at],
  )
  await tx.query(
    `delete from auth.sessions where user_id = $1 and id <> $2 and coalesce(aal, 'aal1') = 'aal1'`,
    [user.id, id],
  )
  const traits = { factor_id: factor.id, factor_type: factor.factor_type }
  await audit(tx, { action: 'mfa_code_login', actor: user, client, traits })
  const refreshToken = await rotate(tx, services, session, active)
  return { user: await reload(tx, user.id), session, amr: await amrOf(tx, id), refreshToken }
}

/** Sessions that were upgraded by a factor that is gone have given one proof only. */
export async function downgradeSessions(tx: Transaction, userId: string): Promise<void> {
  await tx.query(
    `with downgraded as (
       update auth.sessions set aal = 'aal1', factor_id = null
       where user_id = $1 and factor_id not in (select id from auth.mfa_factors where user_id = $1) returning id
     )
     delete from auth.mfa_amr_claims using downgraded
     where session_id = downgraded.id and authentication_method in ('totp', 'mfa/phone', 'mfa/webauthn', 'mfa/recovery_code')`,
    [userId],
  )
}
