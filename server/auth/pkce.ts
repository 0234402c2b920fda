import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { authErrors } from './errors.ts'
import { digest } from './secrets.ts'

/** What a client commits itself to at the start of a PKCE flow (RFC 7636). */
export interface Challenge {
  method: 's256' | 'plain'
  value: string
}

/** Marks links of PKCE flows, as GoTrue does. */
export const PKCE_PREFIX = 'pkce_'

interface Given {
  code_challenge?: string | undefined
  code_challenge_method?: string | undefined
}

/**
 * The challenge of a request, undefined when it has none. A plain one is its own answer, so it is kept as a digest too.
 * Errors: validation_failed.
 */
export function readChallenge({
  code_challenge: value,
  code_challenge_method: method,
}: Given): Challenge | undefined {
  if (value === undefined && method === undefined) return undefined
  if (value === undefined || method === undefined) {
    throw authErrors.invalid('PKCE flow requires code_challenge_method and code_challenge')
  }
  const name = method.toLowerCase()
  if (name !== 's256' && name !== 'plain')
    throw authErrors.invalid('code_challenge_method must be s256 or plain')
  if (!/^[A-Za-z\d\-._~]{43,128}$/.test(value)) {
    throw authErrors.invalid(
      'code challenge has to be between 43 and 128 characters of A-Z, a-z, 0-9, - . _ ~',
    )
  }
  return { method: 's256', value: name === 'plain' ? sha256(value) : value }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Whether the verifier is the one that the challenge was made from. */
export function answersChallenge(verifier: string, { method, value }: Challenge): boolean {
  const given = method === 'plain' ? verifier : sha256(verifier)
  const [left, right] = [Buffer.from(given), Buffer.from(value)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** A PKCE flow under way: what the client committed itself to, and the code that it may exchange. */
export interface FlowStateRow {
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
export const SEALED_TOKENS = {
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
export async function insertAuthCode(tx: Transaction, flow: ProvedFlow): Promise<void> {
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
export async function findFlowState(
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

export async function deleteFlowState(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from auth.flow_state where id = $1', [id])
}
