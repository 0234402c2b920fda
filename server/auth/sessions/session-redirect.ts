import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { sealedAs } from '#server/tokens/encryption.ts'
import { audit, auditAndRethrow } from '../audit.ts'
import { type Client, clientOf, type Endpoint, type Services } from '../context.ts'
import { authErrors } from '../errors.ts'
import type { ProviderTokens } from '../oauth/provider.ts'
import { withParameters } from '../redirects.ts'
import { readBody } from '../request-body.ts'
import {
  answersChallenge,
  type Challenge,
  deleteFlowState,
  digest,
  type FlowStateRow,
  findFlowState,
  insertAuthCode,
  SEALED_TOKENS,
} from '../secrets.ts'
import { FLOW_LIFETIME_SECONDS } from '../settings.ts'
import { findUser } from '../users/queries.ts'
import { isBanned, type UserRow } from '../users/user.ts'
import { type IssuedSession, startSession, tokenResponse } from './lifecycle.ts'

/** What the site gets for somebody who came back from a provider. */
export type SessionRedirect = { code: string } | { issued: IssuedSession; tokens: ProviderTokens }

interface Entry {
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
  entry: Entry,
): Promise<SessionRedirect> {
  const { user, provider, method, challenge, tokens, client, notAfter } = entry
  if (!challenge) {
    return { issued: await startSession(tx, services, { user, method, client, notAfter }), tokens }
  }
  const at = new Date(services.now()).toISOString()
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
  landing: SessionRedirect,
): Promise<string> {
  if ('code' in landing) return withParameters(target, 'query', { code: landing.code })
  const { user: _, ...session } = await tokenResponse(services, landing.issued)
  return withParameters(target, 'fragment', { ...session, ...providerTokenFields(landing.tokens), sb: '' })
}

/** A provider's tokens under the names that clients know. */
const providerTokenFields = ({ accessToken, refreshToken }: ProviderTokens): Record<string, string> => ({
  ...(accessToken && { provider_token: accessToken }),
  ...(refreshToken && { provider_refresh_token: refreshToken }),
})

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
  if (!(issuedAt + FLOW_LIFETIME_SECONDS * 1000 > now)) throw authErrors.flowStateExpired()
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
