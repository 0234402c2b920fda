import { createHash, createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { authErrors } from './errors.ts'

/**
 * Everything that a person presents as proof, made from keyed digests: the database holds only SHA-256 of it, and a
 * copy of the database without the key can neither sign anybody in nor try out codes (docs/decisions/0006).
 */
export interface Secrets {
  /** The refresh token that follows `parent` (a digest) in a session; the first has no parent. */
  refreshToken(sessionId: string, parent: string | null): string
  /** The six digits of a token or challenge, by its id: nothing of them is stored, and they can be sent at any time. */
  code(tokenId: string): string
  /** The secret in a mailed link: the same proof as the code, in a form that cannot be guessed. */
  linkSecret(tokenId: string, code: string): string
  /** What a flow to a provider keeps to itself, by the flow's id: nothing of it needs to be stored. */
  flowSecret(purpose: 'nonce' | 'verifier' | 'browser', flowId: string): string
}

const TOKEN_LENGTH = 12
const KEY_BYTES = 32

/** All keys follow from the API's secret key, which all processes share. */
export function createSecrets(secretKey: string): Secrets {
  const keyFor = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secretKey, 'walking-together auth', purpose, KEY_BYTES))
  const refreshKey = keyFor('refresh tokens')
  const linkKey = keyFor('one-time tokens')
  const codeKey = keyFor('one-time codes')
  const flowKey = keyFor('provider flows')
  return {
    refreshToken: (sessionId, parent) => lettersAndDigits(keyed(refreshKey, `${sessionId}:${parent ?? ''}`)),
    code: (tokenId) => String(keyed(codeKey, tokenId).readUInt32BE() % 1_000_000).padStart(6, '0'),
    linkSecret: (tokenId, code) => keyed(linkKey, `${tokenId}:${code}`).toString('hex'),
    flowSecret: (purpose, flowId) => keyed(flowKey, `${purpose}:${flowId}`).toString('base64url'),
  }
}

/** What the database holds of a secret. */
export const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const keyed = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Twelve lower-case alphanumerics, GoTrue's classic form: 62 bits. */
function lettersAndDigits(bytes: Buffer): string {
  const number = BigInt(`0x${bytes.toString('hex')}`)
  return number.toString(36).slice(-TOKEN_LENGTH)
}

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
