import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { SetupError } from '#server/config/env.ts'
import type { Database } from '#server/database/port.ts'
import { isSealed, type Sealing, sealedAs } from './encryption.ts'
import { makeSecretFile, readSecretFile, replaceSecretFile } from './secret-file.ts'

/** The two opaque keys of the API: `publishable` opens it as anon, `secret` as service_role. */
export interface ApiKeys {
  publishable: string
  secret: string
}

const StoredKeys = z.object({
  publishable: z.string().startsWith('sb_publishable_'),
  secret: z.string().startsWith('sb_secret_'),
})

const FILE = 'api-keys.json'

/** The file of the keys cannot be understood. Its content, which is secret, is left out. */
export class ApiKeysDamaged extends SetupError {
  constructor(file: string) {
    super(
      `${file} is damaged. Restore it, or remove it to have new keys made (clients then need the new ones).`,
    )
  }
}

/**
 * The keys given in the environment, or those kept in the data folder, made at the first start. Processes that start
 * together on one folder agree on them. Errors: ApiKeysDamaged, the file system's own.
 */
export async function loadApiKeys(dataDir: string, given: Partial<ApiKeys>): Promise<ApiKeys> {
  if (given.publishable && given.secret) return { publishable: given.publishable, secret: given.secret }
  const file = join(dataDir, FILE)
  const stored = (await readKeys(file)) ?? (await makeKeys(file))
  return { publishable: given.publishable ?? stored.publishable, secret: given.secret ?? stored.secret }
}

/** undefined when there is no such file. */
async function readKeys(file: string): Promise<ApiKeys | undefined> {
  const text = await readSecretFile(file)
  if (text === undefined) return undefined
  try {
    return StoredKeys.parse(JSON.parse(text))
  } catch {
    throw new ApiKeysDamaged(file)
  }
}

async function makeKeys(file: string): Promise<ApiKeys> {
  const random = () => randomBytes(24).toString('base64url')
  const keys = { publishable: `sb_publishable_${random()}`, secret: `sb_secret_${random()}` }
  await makeSecretFile(file, textOf(keys))
  return (await readKeys(file)) ?? keys
}

/** Puts keys in the place of those that the data folder holds. Errors: the file system's own. */
const replaceApiKeys = (dataDir: string, keys: ApiKeys): Promise<void> =>
  replaceSecretFile(join(dataDir, FILE), textOf(keys))

const textOf = (keys: ApiKeys): string => `${JSON.stringify(keys, null, 2)}\n`

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
