import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** The two opaque keys of the API: `publishable` opens it as anon, `secret` as service_role. */
export interface ApiKeys {
  publishable: string
  secret: string
}

const StoredKeys = z.object({ publishable: z.string(), secret: z.string() })

/**
 * The keys given in the environment, or those kept in the data folder, made at the first start.
 * Errors: the file system's own, or zod's on a damaged file.
 */
export async function loadApiKeys(dataDir: string, given: Partial<ApiKeys>): Promise<ApiKeys> {
  if (given.publishable && given.secret) return { publishable: given.publishable, secret: given.secret }
  const file = join(dataDir, 'api-keys.json')
  const stored = await readKeys(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return makeKeys(file)
    throw error
  })
  return { publishable: given.publishable ?? stored.publishable, secret: given.secret ?? stored.secret }
}

const readKeys = async (file: string): Promise<ApiKeys> => StoredKeys.parse(JSON.parse(await readFile(file, 'utf8')))

async function makeKeys(file: string): Promise<ApiKeys> {
  const random = () => randomBytes(24).toString('base64url')
  const keys = { publishable: `sb_publishable_${random()}`, secret: `sb_secret_${random()}` }
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  return keys
}
