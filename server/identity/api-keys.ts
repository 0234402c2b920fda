import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { SetupError } from '#server/config/setup-error.ts'

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
  const stored = (await readKeys(file)) ?? (await makeKeys(dataDir, file))
  return { publishable: given.publishable ?? stored.publishable, secret: given.secret ?? stored.secret }
}

/** undefined when there is no such file. */
async function readKeys(file: string): Promise<ApiKeys | undefined> {
  const text = await readFile(file, 'utf8').catch(unless('ENOENT'))
  if (text === undefined) return undefined
  try {
    return StoredKeys.parse(JSON.parse(text))
  } catch {
    throw new ApiKeysDamaged(file)
  }
}

/**
 * Written aside and then linked to its name: that name never stands for half a file, and whoever comes second is told
 * that it is taken, and uses what is there.
 */
async function makeKeys(dataDir: string, file: string): Promise<ApiKeys> {
  const random = () => randomBytes(24).toString('base64url')
  const keys = { publishable: `sb_publishable_${random()}`, secret: `sb_secret_${random()}` }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeAside(file, keys, (aside) => link(aside, file).catch(unless('EEXIST')))
  return (await readKeys(file)) ?? keys
}

/** Puts keys in the place of those that the data folder holds. Errors: the file system's own. */
export async function replaceApiKeys(dataDir: string, keys: ApiKeys): Promise<void> {
  const file = join(dataDir, FILE)
  await writeAside(file, keys, (aside) => rename(aside, file))
}

async function writeAside(file: string, keys: ApiKeys, putInPlace: (aside: string) => Promise<void>) {
  const aside = `${file}.${randomUUID()}`
  try {
    await writeFile(aside, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await putInPlace(aside)
  } finally {
    await rm(aside, { force: true })
  }
}

/** Swallows the one error that is expected. */
const unless =
  (code: string) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error
  }
