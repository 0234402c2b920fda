import type { Database } from '#server/database/port.ts'
import { type ApiKeys, loadApiKeys, replaceApiKeys } from './api-keys.ts'
import { isSealed, type Sealing, sealedAs } from './sealing.ts'

/**
 * The keys that all processes on one database have in common: given in the environment, or those of the process that
 * came first, which the others then keep in their data folders too.
 * Errors: ApiKeysDamaged, UnsealFailed, the file system's own, DatabaseUnavailable.
 */
export async function agreeOnApiKeys(
  db: Database,
  sealing: Sealing,
  { dataDir, given = {} }: { dataDir: string; given?: Partial<ApiKeys> },
): Promise<ApiKeys> {
  if (given.publishable && given.secret) return loadApiKeys(dataDir, given)
  const own = await loadApiKeys(dataDir, {})
  const agreed = await firstOffered(db, sealing, own)
  if (agreed.secret !== own.secret || agreed.publishable !== own.publishable) {
    await replaceApiKeys(dataDir, agreed)
  }
  return { publishable: given.publishable ?? agreed.publishable, secret: given.secret ?? agreed.secret }
}

const firstOffered = (db: Database, sealing: Sealing, { publishable, secret }: ApiKeys): Promise<ApiKeys> =>
  db.asOwner('agree on API keys', async (tx) => {
    await tx.query(
      'insert into platform.api_keys (publishable, secret) values ($1, $2) on conflict do nothing',
      [publishable, sealing.seal(secret, PLACE)],
    )
    const { rows } = await tx.query<ApiKeys>('select publishable, secret from platform.api_keys')
    const [first] = rows
    if (!first) return { publishable, secret }
    // Those that an earlier version kept are sealed later in the same start.
    const { secret: kept } = first
    return { publishable: first.publishable, secret: isSealed(kept) ? sealing.unseal(kept, PLACE) : kept }
  })

const PLACE = sealedAs('platform.api_keys.secret', 'only')
