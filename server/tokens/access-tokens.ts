import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Database } from '#server/database/port.ts'
import { TokenRefused, type VerifyToken } from './authenticate.ts'
import type { KeySet } from './signing-keys.ts'

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
      const keyOf = (header: JWTHeaderParameters) => keyFor(keys, header)
      const { payload, protectedHeader } = await jwtVerify(token, keyOf, options).catch(refuse)
      const found = { kid: protectedHeader.kid ?? '', payload: Object.freeze(payload) }
      verified.set(digest, found, { size: token.length })
      return payload
    },
  }
}

/** The key that the header names; its algorithm is the key's own, whatever the header says. */
async function keyFor(keys: KeySet, { kid, alg, ...header }: JWTHeaderParameters): Promise<CryptoKey> {
  if (KEY_HEADERS.some((name) => name in header)) throw new TokenRefused('The token brings a key of its own')
  const key = typeof kid === 'string' ? await keys.find(kid) : undefined
  if (!key) throw new TokenRefused('No suitable key was found for the token')
  if (key.alg !== alg) throw new TokenRefused('The token is signed by another algorithm than its key is for')
  return key.publicKey
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

/** Access tokens that are not believed any more although they have not expired: their session or account has ended. */
export interface EndedTokens {
  /** Errors: DatabaseUnavailable, when the database has to be asked. */
  includes(claims: Readonly<Record<string, unknown>>): Promise<boolean>
}

/**
 * A check of access tokens whose session and account must still be there. Whoever brings another is told that it has
 * expired: clients then try to refresh it, and sign out when they cannot.
 */
export const unlessEnded =
  (verify: VerifyToken, ended: Pick<EndedTokens, 'includes'>): VerifyToken =>
  async (token) => {
    const claims = await verify(token)
    if (await ended.includes(claims)) throw new TokenRefused('The session has ended', { expired: true })
    return claims
  }

/** About 15 MB. Beyond it the database is asked for each token instead. */
const MAX_KEPT = 100_000
const RETRY_MS = 1_000
const CHANNEL = 'ended_tokens'
/** A session or an account, and for how many seconds its tokens are refused; 0: believed again. */
const ENTRY = /([\da-f-]{36}):(\d+)/g

const READ = `select id, ceil(extract(epoch from until - now()))::int as seconds from platform.ended_tokens
  where until > now() limit $1`
const ASK = `select exists (select from platform.ended_tokens
  where until > now() and id::text in ($1, $2)) as ended`

/**
 * The list that the database's triggers write, kept up by notifications: no token costs a question. When notifications
 * may have been missed, and until the list has been read again, the database is asked about each token.
 * @param lifetimeSeconds of the tokens that this process signs
 */
export async function watchEndedTokens(
  db: Database,
  lifetimeSeconds: number,
  log: Logger,
): Promise<EndedTokens> {
  const list = new EndedTokenList(db, log)
  await db.asOwner('life of access tokens', (tx) =>
    tx.query('update platform.access_token_life set seconds = $1 where seconds < $1', [lifetimeSeconds]),
  )
  // Listening comes first, so that nothing can fall between the reading and the listening.
  await db.listen(
    CHANNEL,
    (payload) => list.onPayload(payload),
    () => list.onListening(),
    () => list.onLost(),
  )
  await list.readAll()
  return list
}

class EndedTokenList implements EndedTokens {
  readonly #db: Database
  readonly #log: Logger
  /** When each is forgotten, by performance.now(). */
  readonly #ended = new Map<string, number>()
  /** What was told while the list was being read. */
  #meanwhile: string[] = []
  #isListening = true
  #isReading = false
  #isRead = false

  constructor(db: Database, log: Logger) {
    this.#db = db
    this.#log = log
  }

  async includes({ sub, session_id: session }: Readonly<Record<string, unknown>>): Promise<boolean> {
    const ids = [String(session), String(sub)]
    const isCertain = this.#isListening && this.#isRead && !this.#isReading && this.#ended.size <= MAX_KEPT
    if (isCertain) return ids.some((id) => (this.#ended.get(id) ?? 0) > performance.now())
    const { rows } = await this.#db.asOwner(
      'is a session over?',
      (tx) => tx.query<{ ended: boolean }>(ASK, ids, { repeated: true }),
      { single: true },
    )
    return rows[0]?.ended ?? true
  }

  onPayload(payload: string): void {
    if (payload === '') void this.readAll()
    else if (this.#isReading) this.#meanwhile.push(payload)
    else this.#apply(payload)
  }

  /** Notifications come again, and some may have been missed. */
  onListening(): void {
    this.#isListening = true
    void this.readAll()
  }

  onLost(): void {
    this.#isListening = false
    this.#isRead = false
  }

  /** Reads the list until it is whole; when notifications are lost meanwhile, their return begins it again. */
  async readAll(): Promise<void> {
    this.#isRead = false
    if (this.#isReading) return
    this.#isReading = true
    while (this.#isListening && !this.#isRead) {
      this.#meanwhile = []
      // Set first: a message that there is too much to tell, while we read, asks for another reading.
      this.#isRead = true
      await this.#read().catch(async () => {
        this.#isRead = false
        await pause(RETRY_MS, undefined, { ref: false })
      })
    }
    this.#isReading = false
    if (this.#ended.size > MAX_KEPT)
      this.#log.warn('so many sessions have ended that the database is asked about each')
  }

  async #read(): Promise<void> {
    const { rows } = await this.#db.asOwner(
      'ended sessions and accounts',
      (tx) => tx.query<{ id: string; seconds: number }>(READ, [MAX_KEPT + 1]),
      { single: true },
    )
    this.#ended.clear()
    for (const { id, seconds } of rows) this.#note(id, seconds)
    for (const payload of this.#meanwhile) this.#apply(payload)
  }

  #apply(payload: string): void {
    for (const [, id = '', seconds] of payload.matchAll(ENTRY)) this.#note(id, Number(seconds))
    if (this.#ended.size <= MAX_KEPT) return
    for (const [id, until] of this.#ended) if (until < performance.now()) this.#ended.delete(id)
  }

  #note(id: string, seconds: number): void {
    if (seconds > 0) this.#ended.set(id, performance.now() + seconds * 1000)
    else this.#ended.delete(id)
  }
}
