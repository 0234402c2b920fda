import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { SetupError } from '#server/config/setup-error.ts'
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
export const replaceApiKeys = (dataDir: string, keys: ApiKeys): Promise<void> =>
  replaceSecretFile(join(dataDir, FILE), textOf(keys))

const textOf = (keys: ApiKeys): string => `${JSON.stringify(keys, null, 2)}\n`
