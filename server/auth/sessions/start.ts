import type { Transaction } from '#server/database/port.ts'
import type { Client, Services } from '../context.ts'
import { digest } from '../secrets.ts'
import type { SessionLimits } from '../settings.ts'
import { reload } from '../users/accounts.ts'
import { touchIdentity } from '../users/identities.ts'
import { renderUser } from '../users/render-user.ts'
import { updateUser } from '../users/repository.ts'
import type { UserRow } from '../users/rows.ts'
import { insertRefreshToken, insertSession, type Proof, proofsOf, type SessionRow } from './repository.ts'

/** A session as it stands when its transaction ends; only the access token is still to be signed. */
export interface IssuedSession {
  user: UserRow
  session: SessionRow
  proofs: Proof[]
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
  return { user: await reload(tx, user.id), session, proofs: await proofsOf(tx, session.id), refreshToken }
}

/** Policies may ask which organisation's sign-on opened the session, as on a hosted project. */
function withOrganisation(proof: Proof, { identities }: UserRow): Proof & { provider?: string } {
  const provider = identities.find((identity) => identity.provider.startsWith('sso:'))?.provider.slice(4)
  return proof.method === 'sso/saml' && provider ? { ...proof, provider } : proof
}

/** The earlier of the owner's limit and the provider's, if there is any. */
function endOf(now: number, { timeBoxSeconds }: SessionLimits, wished: string | undefined): string | null {
  const limit = timeBoxSeconds === undefined ? [] : [now + timeBoxSeconds * 1000]
  const ends = [...limit, ...(wished === undefined ? [] : [Date.parse(wished)])]
  return ends.length === 0 ? null : new Date(Math.min(...ends)).toISOString()
}

/**
 * The answer that opens or prolongs a session on the client. Never within a transaction: signing may have to look for
 * new keys, and such work must not wait for a second connection while it holds one.
 */
export async function tokenResponse(
  { tokens }: Services,
  { user, session, proofs, refreshToken }: IssuedSession,
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
    amr: proofs.map((proof) => withOrganisation(proof, user)),
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
