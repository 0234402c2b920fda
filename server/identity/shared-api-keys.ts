import type { Database } from '#server/database/port.ts'
import { type ApiKeys, loadApiKeys, replaceApiKeys } from './api-keys.ts'

/**
 * The keys that all processes on one database have in common: given in the environment, or those of the process that
 * came first, which the others then keep in their data folders too. An embedded database has one process and one folder.
 * Errors: ApiKeysDamaged, the file system's own, DatabaseUnavailable.
 */
export async function agreeOnApiKeys(
  db: Database,
  dataDir: string,
  given: Partial<ApiKeys>,
): Promise<ApiKeys> {
  if ((given.publishable && given.secret) || db.kind === 'pglite') return loadApiKeys(dataDir, given)
  const own = await loadApiKeys(dataDir, {})
  const agreed = await firstOffered(db, own)
  if (agreed.secret !== own.secret || agreed.publishable !== own.publishable) {
    await replaceApiKeys(dataDir, agreed)
  }
  return { publishable: given.publishable ?? agreed.publishable, secret: given.secret ?? agreed.secret }
}

const firstOffered = (db: Database, { publishable, secret }: ApiKeys): Promise<ApiKeys> =>
  db.asOwner('agree on API keys', async (tx) => {
    await tx.query(
      'insert into platform.api_keys (publishable, secret) values ($1, $2) on conflict do nothing',
      [publishable, secret],
    )
    const { rows } = await tx.query<ApiKeys>('select publishable, secret from platform.api_keys')
    return rows[0] ?? { publishable, secret }
  })
