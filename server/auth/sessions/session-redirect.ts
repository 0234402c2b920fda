import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { sealedAs } from '#server/tokens/encryption.ts'
import { audit, auditAndRethrow } from '../audit.ts'
import { type Client, clientOf, type Endpoint, nowIso, type Services } from '../context.ts'
import { authErrors } from '../errors.ts'
import type { ProviderTokens } from '../oauth/provider.ts'
import { withParameters } from '../redirects.ts'
import { readBody } from '../request-body.ts'
import { answersChallenge, type Challenge, digest } from '../secrets.ts'
import { findUser } from '../users/queries.ts'
import { isBanned, type UserRow } from '../users/user.ts'
import { type IssuedSession, startSession, tokenResponse } from './lifecycle.ts'

/** What the site gets for somebody who came back from a provider. */
export type SessionRedirect = { code: string } | { issued: IssuedSession; tokens: ProviderTokens }

interface ExternalSession {
  user: UserRow
  provider: string
  /** What the session's amr claim will say. */
  method: 'oauth' | 'sso/saml'
  challenge: Challenge | undefined
  tokens: ProviderTokens
  client: Client
  notAfter?: string | undefined
}

/** A session, or (PKCE) a code that only the client that began can exchange for one. */
export async function issueSessionOrCode(
  tx: Transaction,
  services: Services,
  external: ExternalSession,
): Promise<SessionRedirect> {
  const { user, provider, method, challenge, tokens, client, notAfter } = external
  if (!challenge) {
    return { issued: await startSession(tx, services, { user, method, client, notAfter }), tokens }
  }
  const at = nowIso(services)
  const code = randomUUID()
  const sealed = (token: string | undefined, column: string) =>
    token === undefined ? null : services.sealing.seal(token, sealedAs(column, digest(code)))
  await insertAuthCode(tx, {
    code,
    userId: user.id,
    provider,
    method,
    challenge,
    accessToken: sealed(tokens.accessToken, SEALED_TOKENS.access),
    refreshToken: sealed(tokens.refreshToken, SEALED_TOKENS.refresh),
    at,
  })
  return { code }
}

/** The site's address with the session in its fragment, or the code in its query (protocol.md, GET /callback). */
export async function sessionRedirectUrl(
  services: Services,
  target: string,
  redirect: SessionRedirect,
): Promise<string> {
  if ('code' in redirect) return withParameters(target, 'query', { code: redirect.code })
  const { user: _, ...session } = await tokenResponse(services, redirect.issued)
  return withParameters(target, 'fragment', { ...session, ...providerTokenFields(redirect.tokens), sb: '' })
}

/** A provider's tokens under the names that clients know. */
const providerTokenFields = ({ accessToken, refreshToken }: ProviderTokens): Record<string, string> => ({
  ...(accessToken && { provider_token: accessToken }),
  ...(refreshToken && { provider_refresh_token: refreshToken }),
})

/** A code must be exchanged within five minutes. */
const CODE_LIFETIME_SECONDS = 300
const MAX = 256
const needed = 'invalid request: both auth code and code verifier should be non-empty'
const Body = z.object({
  auth_code: z.string(needed).min(1, needed).max(MAX, needed),
  code_verifier: z.string(needed).min(1, needed).max(MAX, needed),
})

/** POST /token?grant_type=pkce: a session for the code that a link brought back, to whoever began the flow. */
export const exchangeCode: Endpoint = async (c) => {
  const { services } = c.var
  const { auth_code: code, code_verifier: verifier } = await readBody(c, Body)
  const client = clientOf(c)
  const issued = await services.db
    .asOwner('exchange code', async (tx) => {
      // The account first, then what belongs to it: in this order all changes take their locks.
      const about = await findFlowState(tx, code)
      const user = about?.user_id ? await findUser(tx, { id: about.user_id }, { lock: true }) : undefined
      const flow = await findFlowState(tx, code, { lock: true })
      if (!flow) throw authErrors.flowStateNotFound()
      mustAnswer(flow, verifier, services.now())
      await deleteFlowState(tx, flow.id)
      if (!user) throw authErrors.userNotFound()
      const opened = await openSession(tx, services, { flow, user, client })
      return { ...opened, tokens: providerTokens(services, flow) }
    })
    .catch(auditAndRethrow(c))
  return c.json({ ...(await tokenResponse(services, issued)), ...providerTokenFields(issued.tokens) })
}

function providerTokens({ sealing }: Services, flow: FlowStateRow): ProviderTokens {
  const unsealed = (token: string | null, column: string) =>
    token === null ? undefined : sealing.unseal(token, sealedAs(column, flow.auth_code ?? ''))
  return {
    accessToken: unsealed(flow.provider_access_token, SEALED_TOKENS.access),
    refreshToken: unsealed(flow.provider_refresh_token, SEALED_TOKENS.refresh),
  }
}

/** Errors: flow_state_expired, bad_code_verifier. The code stays good for whoever has the right verifier. */
function mustAnswer(flow: FlowStateRow, verifier: string, now: number): void {
  const issuedAt = Date.parse(flow.auth_code_issued_at ?? '')
  if (!(issuedAt + CODE_LIFETIME_SECONDS * 1000 > now)) throw authErrors.flowStateExpired()
  const challenge = { method: flow.code_challenge_method, value: flow.code_challenge }
  if (!answersChallenge(verifier, challenge)) throw authErrors.badCodeVerifier()
}

interface Opening {
  flow: FlowStateRow
  user: UserRow
  client: Client
}

async function openSession(tx: Transaction, services: Services, { flow, user, client }: Opening) {
  if (isBanned(user, services.now())) throw authErrors.banned(400)
  await audit(tx, { action: 'login', actor: user, client, traits: { provider: flow.provider_type } })
  return startSession(tx, services, { user, method: flow.authentication_method, client })
}

/** A PKCE flow under way: what the client committed itself to, and the code that it may exchange. */
interface FlowStateRow {
  id: string
  user_id: string | null
  /** A digest. */
  auth_code: string | null
  code_challenge: string
  code_challenge_method: Challenge['method']
  /** What the session's amr claim will say: otp, magiclink, recovery, email_change. */
  authentication_method: string
  auth_code_issued_at: string | null
  /** `email`, or the provider that vouched for the user. */
  provider_type: string
  /** Sealed. */
  provider_access_token: string | null
  provider_refresh_token: string | null
}

/** Where a provider's tokens wait, sealed for the digest of the code. */
const SEALED_TOKENS = {
  access: 'auth.flow_state.provider_access_token',
  refresh: 'auth.flow_state.provider_refresh_token',
}

const FLOW = 'select to_jsonb(f) as flow from auth.flow_state f'
/** Flows that nobody came back for are forgotten after a day. */
const FORGET_AFTER = '1 day'

interface NewFlow {
  userId: string
  challenge: Challenge
  method: string
  at: string
}

/** Remembers the challenge of a mailed flow until its link is opened; the link's token names it. */
export async function insertFlowState(
  tx: Transaction,
  { userId, challenge, method, at }: NewFlow,
): Promise<string> {
  const id = randomUUID()
  await tx.query(`delete from auth.flow_state where created_at < now() - interval '${FORGET_AFTER}'`)
  await tx.query(
    `insert into auth.flow_state
       (id, user_id, code_challenge, code_challenge_method, provider_type, authentication_method, created_at, updated_at)
     values ($1, $2, $3, $4, 'email', $5, $6, $6)`,
    [id, userId, challenge.value, challenge.method, method, at],
  )
  return id
}

/** A code to exchange from now on, for the flow whose link has just been opened; undefined when it is over. */
export async function issueAuthCode(
  tx: Transaction,
  flowId: string,
  at: string,
): Promise<string | undefined> {
  const code = randomUUID()
  const { affected } = await tx.query(
    `update auth.flow_state set auth_code = $2, auth_code_issued_at = $3, updated_at = $3
     where id = $1 and auth_code is null`,
    [flowId, digest(code), at],
  )
  return affected === 1 ? code : undefined
}

interface ProvedFlow {
  code: string
  userId: string
  provider: string
  method: string
  challenge: Challenge
  /** Sealed. */
  accessToken: string | null
  refreshToken: string | null
  at: string
}

/** A code to exchange from now on, for somebody whom a provider has vouched for. */
async function insertAuthCode(tx: Transaction, flow: ProvedFlow): Promise<void> {
  await tx.query(
    `insert into auth.flow_state (id, user_id, auth_code, code_challenge, code_challenge_method, provider_type,
       provider_access_token, provider_refresh_token, authentication_method, auth_code_issued_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $10)`,
    [
      randomUUID(),
      flow.userId,
      digest(flow.code),
      flow.challenge.value,
      flow.challenge.method,
      flow.provider,
      flow.accessToken,
      flow.refreshToken,
      flow.method,
      flow.at,
    ],
  )
}

/** The flow of a code. When locked, nobody else can exchange it before this transaction ends. */
async function findFlowState(
  tx: Transaction,
  authCode: string,
  { lock = false } = {},
): Promise<FlowStateRow | undefined> {
  const { rows } = await tx.query<{ flow: FlowStateRow }>(
    `${FLOW} where f.auth_code = $1 ${lock ? 'for update' : ''}`,
    [digest(authCode)],
  )
  return rows[0]?.flow
}

async function deleteFlowState(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from auth.flow_state where id = $1', [id])
}
