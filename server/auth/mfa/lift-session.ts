import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client, Member, Services } from '../context.ts'
import { authErrors } from '../errors.ts'
import { type IssuedSession, rotate } from '../sessions/lifecycle.ts'
import { activeRefreshToken, amrOf, findSession } from '../sessions/queries.ts'
import { reload } from '../users/accounts.ts'
import { findUser } from '../users/queries.ts'
import type { FactorRow } from '../users/user.ts'

/** How the claim `amr` names a second factor (protocol.md 2.3). */
const methods: Readonly<Record<FactorRow['factor_type'], string>> = {
  totp: 'totp',
  phone: 'mfa/phone',
  webauthn: 'mfa/webauthn',
  recovery_code: 'mfa/recovery_code',
}

interface Lift extends Member {
  factor: Pick<FactorRow, 'id' | 'factor_type'>
  client: Client
}

/**
 * The same session, now at aal2, with fresh tokens. The user's sessions that have given one proof only end: one of them
 * may be somebody else's. Errors: session_not_found.
 */
export async function liftSession(
  tx: Transaction,
  services: Services,
  { user, session: { id }, factor, client }: Lift,
): Promise<IssuedSession> {
  // Two sessions of one account that are lifted at once would wait for each other.
  await findUser(tx, { id: user.id }, { lock: true })
  const at = new Date(services.now()).toISOString()
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

/** Sessions that were lifted by a factor that is gone have given one proof only. */
export async function lowerSessions(tx: Transaction, userId: string): Promise<void> {
  await tx.query(
    `with lowered as (
       update auth.sessions set aal = 'aal1', factor_id = null
       where user_id = $1 and factor_id not in (select id from auth.mfa_factors where user_id = $1) returning id
     )
     delete from auth.mfa_amr_claims using lowered
     where session_id = lowered.id and authentication_method in ('totp', 'mfa/phone', 'mfa/webauthn', 'mfa/recovery_code')`,
    [userId],
  )
}
