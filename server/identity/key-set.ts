import type { JWK } from 'jose'
import type { Database } from '#server/database/port.ts'
import type { Sealing } from './sealing.ts'
import { importSigningKey, loadSigningKeys, type SigningKey } from './signing-keys.ts'

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
