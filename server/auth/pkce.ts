import { createHash, timingSafeEqual } from 'node:crypto'
import { authErrors } from './errors.ts'

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
