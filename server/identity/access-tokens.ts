import { hash } from 'node:crypto'
import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { TokenRefused, type VerifyToken } from './identify.ts'
import type { KeySet } from './key-set.ts'

/** Signs and checks access tokens (protocol.md 2.3). */
export interface AccessTokens {
  /**
   * A token for the claims, good from now for the configured time, or until `notAfter` if that is sooner. Times in
   * seconds, `expiresAt` and `notAfter` since 1970.
   */
  sign(
    claims: Record<string, unknown>,
    notAfter?: number,
  ): Promise<{ token: string; expiresAt: number; expiresIn: number }>
  verify: VerifyToken
}

interface Options {
  /** `<api address>/auth/v1` */
  issuer: string
  lifetimeSeconds: number
  /** Milliseconds since 1970; tests turn it. */
  now?: () => number
}

/** Machines whose clocks differ by this much still understand each other. */
const CLOCK_TOLERANCE_SECONDS = 10

/**
 * Tokens that were found good are remembered, about 4,000 of the usual size: to check a signature takes a hundred times
 * as long as a look into a map.
 */
const REMEMBERED_CHARACTERS = 4_000_000

/** Ways to smuggle in a key of the sender's own; ours are found by `kid` alone (RFC 8725, section 3.10). */
const KEY_HEADERS = ['jku', 'jwk', 'x5u', 'x5c', 'x5t', 'x5t#S256'] as const

export function createAccessTokens(
  keys: KeySet,
  { issuer, lifetimeSeconds, now = Date.now }: Options,
): AccessTokens {
  const verified = new LRUCache<string, { kid: string; payload: JWTPayload }>({
    maxSize: REMEMBERED_CHARACTERS,
  })
  const secondsNow = () => now() / 1000

  /** The claims of a token that was found good before; its time has not run out, and its key is still one of ours. */
  const remembered = async (digest: string): Promise<JWTPayload | undefined> => {
    const known = verified.get(digest)
    if (!known) return undefined
    const isInTime = (known.payload.exp ?? 0) > secondsNow() - CLOCK_TOLERANCE_SECONDS
    if (isInTime && (await keys.find(known.kid))) return known.payload
    verified.delete(digest)
    return undefined
  }

  /** The key that the header names; its algorithm is the key's own, whatever the header says. */
  const keyFor = async ({ kid, alg, ...header }: JWTHeaderParameters): Promise<CryptoKey> => {
    if (KEY_HEADERS.some((name) => name in header))
      throw new TokenRefused('The token brings a key of its own')
    const key = typeof kid === 'string' ? await keys.find(kid) : undefined
    if (!key) throw new TokenRefused('No suitable key was found for the token')
    if (key.alg !== alg)
      throw new TokenRefused('The token is signed by another algorithm than its key is for')
    return key.publicKey
  }
  return {
    async sign(claims, notAfter = Number.POSITIVE_INFINITY) {
      const { kid, alg, privateKey } = await keys.current()
      const issuedAt = Math.floor(secondsNow())
      // Short of its end by the tolerance that its readers add.
      const latest = Math.max(issuedAt + 1, Math.floor(notAfter) - CLOCK_TOLERANCE_SECONDS)
      const expiresAt = Math.min(issuedAt + lifetimeSeconds, latest)
      const payload: JWTPayload = {
        iss: issuer,
        aud: 'authenticated',
        ...claims,
        iat: issuedAt,
        exp: expiresAt,
      }
      const token = await new SignJWT(payload).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(privateKey)
      return { token, expiresAt, expiresIn: expiresAt - issuedAt }
    },
    async verify(token) {
      const digest = hash('sha256', token)
      const known = await remembered(digest)
      if (known) return known
      const options = {
        algorithms: ['ES256', 'RS256'],
        issuer,
        audience: 'authenticated',
        requiredClaims: ['sub', 'exp', 'iat', 'role', 'session_id'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(now()),
      }
      const { payload, protectedHeader } = await jwtVerify(token, keyFor, options).catch(refuse)
      const found = { kid: protectedHeader.kid ?? '', payload: Object.freeze(payload) }
      verified.set(digest, found, { size: token.length })
      return payload
    },
  }
}

/** What jose found wrong, in our words; a database that does not answer is no fault of the token. */
const refuse = (error: unknown): never => {
  if (error instanceof errors.JWTExpired) throw new TokenRefused('The token has expired', { expired: true })
  if (error instanceof errors.JOSEError)
    throw new TokenRefused(reasons[error.code] ?? 'The token is not valid')
  throw error
}

const reasons: Readonly<Record<string, string>> = {
  ERR_JWS_INVALID: 'The token is malformed',
  ERR_JWT_INVALID: 'The token is malformed',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'Invalid JWT signature',
  ERR_JOSE_ALG_NOT_ALLOWED: 'The signing method of the token is not allowed',
  ERR_JWT_CLAIM_VALIDATION_FAILED: 'A claim of the token is missing or not ours',
}
