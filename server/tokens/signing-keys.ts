import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Database, Transaction } from '#server/database/port.ts'
import { type Sealing, sealedAs } from './encryption.ts'

/** The algorithms that clients can check with the public keys (specification, section 5). */
type Algorithm = 'ES256' | 'RS256'

/** A key pair of ours, under the id that tokens name in their header. */
export interface SigningKey {
  kid: string
  alg: Algorithm
  privateKey: CryptoKey
  publicKey: CryptoKey
  /** What the JWKS endpoint shows. */
  publicJwk: JWK
}

/** One lock for all processes that find no key at the same first start. */
const FIRST_KEY_LOCK = 7_240_117

/**
 * Every key that may verify, the signing one first; a first key is made when there is none.
 * Errors: UnsealFailed, DatabaseUnavailable.
 */
async function loadSigningKeys(db: Database, sealing: Sealing): Promise<SigningKey[]> {
  const stored = await db.asOwner('signing keys', async (tx) => {
    const found = await readKeys(tx)
    if (found.some((row) => row.signs)) return found
    await tx.query('select pg_advisory_xact_lock($1)', [FIRST_KEY_LOCK])
    if (!(await readKeys(tx)).some((row) => row.signs)) await insertKey(tx, sealing, await newPrivateKey())
    return readKeys(tx)
  })
  return Promise.all(stored.map((row) => importSigningKey(unsealed(sealing, row))))
}

/**
 * Adds a key, which signs from now on (other processes follow within a minute). The ones before it verify for
 * `keepSeconds` more: at least as long as a token lives.
 */
export async function rotateSigningKey(db: Database, sealing: Sealing, keepSeconds: number): Promise<string> {
  const key = await newPrivateKey()
  await db.asOwner('rotate signing key', async (tx) => {
    await tx.query(
      `update platform.signing_keys set retires_at = now() + make_interval(secs => $1) where retires_at is null`,
      [keepSeconds],
    )
    await tx.query(`delete from platform.signing_keys where retires_at < now()`)
    await insertKey(tx, sealing, key)
  })
  return key.kid
}

/** A private JWK (ES256 or RS256) as both halves. Errors: TypeError on another kind of key. */
export async function importSigningKey(jwk: JWK): Promise<SigningKey> {
  const alg = algorithmOf(jwk)
  const kid = jwk.kid ?? (await calculateJwkThumbprint(jwk))
  const { kty, crv, x, y, n, e } = jwk
  const open = kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }
  const publicJwk = { ...open, alg, kid, use: 'sig', key_ops: ['verify'] } as JWK
  const [privateKey, publicKey] = await Promise.all([
    importJWK({ ...jwk, key_ops: ['sign'] }, alg),
    importJWK(publicJwk, alg),
  ])
  if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array)
    throw new TypeError('not a key pair')
  return { kid, alg, privateKey, publicKey, publicJwk }
}

function algorithmOf(jwk: JWK): Algorithm {
  if (typeof jwk.d !== 'string') throw new TypeError('a signing key must be a private key')
  if (jwk.kty === 'EC' && jwk.crv === 'P-256') return 'ES256'
  if (jwk.kty === 'RSA') return 'RS256'
  throw new TypeError('a signing key must be for ES256 or RS256')
}

async function newPrivateKey(): Promise<JWK & { kid: string }> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, alg: 'ES256', kid: await calculateJwkThumbprint(jwk) }
}

const place = (kid: string): string => sealedAs('platform.signing_keys.private_key', kid)

const insertKey = (tx: Transaction, sealing: Sealing, key: JWK & { kid: string }) =>
  tx.query('insert into platform.signing_keys (kid, private_key) values ($1, $2)', [
    key.kid,
    sealing.seal(JSON.stringify(key), place(key.kid)),
  ])

interface StoredKey {
  kid: string
  private_key: string
  signs: boolean
}

const unsealed = (sealing: Sealing, { kid, private_key }: StoredKey): JWK =>
  JSON.parse(sealing.unseal(private_key, place(kid))) as JWK

const readKeys = async (tx: Transaction) =>
  (
    await tx.query<StoredKey>(
      `select kid, private_key, retires_at is null as signs from platform.signing_keys
       where retires_at is null or retires_at > now() order by retires_at is null desc, created_at desc`,
    )
  ).rows

/** The keys that sign and verify access tokens, kept fresh from the database. */
export interface KeySet {
  /** The key that signs. */
  current(): Promise<SigningKey>
  /** The key of that id, if it is ours and not retired. */
  find(kid: string): Promise<SigningKey | undefined>
  /** The public halves, as `/.well-known/jwks.json` shows them. */
  published(): Promise<JWK[]>
}

/** After this long a process notices a rotation by itself. */
const FRESH_MS = 60_000
/** A token of an unknown key may be of a key that another process has just added: look, but not for every such token. */
const LOOK_AGAIN_MS = 5_000

/**
 * `given` are private keys of the owner's own (AUTH_SIGNING_KEYS): the first of them signs in place of the database's.
 * Errors: DatabaseUnavailable from every method.
 */
export async function openKeySet(
  db: Database,
  sealing: Sealing,
  given: readonly JWK[] = [],
): Promise<KeySet> {
  const own = await Promise.all(given.map(importSigningKey))
  let keys: SigningKey[] = []
  let loadedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | undefined

  const load = () => {
    loading ??= loadSigningKeys(db, sealing)
      .then((stored) => {
        keys = [...own, ...stored]
        loadedAt = performance.now()
      })
      .finally(() => {
        loading = undefined
      })
    return loading
  }
  const loadWhenOlderThan = async (ms: number) => {
    if (performance.now() - loadedAt > ms) await load()
  }
  const byId = (kid: string) => keys.find((key) => key.kid === kid)

  await load()
  return {
    async current() {
      await loadWhenOlderThan(FRESH_MS)
      return keys[0] as SigningKey
    },
    async find(kid) {
      await loadWhenOlderThan(FRESH_MS)
      if (!byId(kid)) await loadWhenOlderThan(LOOK_AGAIN_MS)
      return byId(kid)
    },
    async published() {
      await loadWhenOlderThan(LOOK_AGAIN_MS)
      return keys.map((key) => key.publicJwk)
    },
  }
}
