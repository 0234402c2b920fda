import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
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
