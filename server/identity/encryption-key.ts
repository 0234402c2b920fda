import { randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { SetupError } from '#server/config/setup-error.ts'
import type { Database, Transaction } from '#server/database/port.ts'
import { reseal } from './sealed-columns.ts'
import { createSealing, KEY_BYTES, parseEncryptionKey, type Sealing } from './sealing.ts'
import { makeSecretFile, readSecretFile, replaceSecretFile } from './secret-file.ts'

/** Beside api-keys.json in the data folder; a backup carries it. */
export const ENCRYPTION_KEY_FILE = 'encryption.key'
/** Holds the new key while `npm run keys -- reseal` is under way. */
const NEXT_FILE = `${ENCRYPTION_KEY_FILE}.next`
/** One lock for all processes that look at, set or change the key of one database. */
const ENCRYPTION_KEY_LOCK = 7_240_118

/** The key that this machine has cannot be used for what the database holds. Nothing was changed. */
export class EncryptionKeyProblem extends SetupError {}

/**
 * The key that everything secret in this database is sealed with: the one given (ENCRYPTION_KEY), or that in the data
 * folder, made when database and folder have none. The database remembers which key it is (not the key).
 * Errors: EncryptionKeyProblem, DatabaseUnavailable, the file system's own.
 */
export const openSealing = (db: Database, dataDir: string, given?: Buffer): Promise<Sealing> =>
  db.asOwner('encryption key', (tx) => settleSealing(tx, dataDir, given))

/** The same within a transaction that its caller began. */
export async function settleSealing(tx: Transaction, dataDir: string, given?: Buffer): Promise<Sealing> {
  const expected = await lockedKeyId(tx)
  const key = given ?? (await keyInFolder(dataDir, expected))
  const sealing = createSealing(key)
  if (expected === undefined) await rememberKey(tx, sealing)
  else if (expected !== sealing.keyId) throw otherKey(expected, sealing.keyId, given ? undefined : dataDir)
  return sealing
}

/**
 * Changes the encryption key: everything sealed is sealed anew with a fresh key, which the data folder then holds; the
 * service must be stopped on every machine. A crash at any moment leaves a pair of database and folder that fit.
 * With a key given in ENCRYPTION_KEY nothing is written to the folder: `show` is told the new key before it is used.
 * Returns its id. Errors: those of openSealing.
 */
export async function changeEncryptionKey(
  db: Database,
  dataDir: string,
  options: { given?: Buffer | undefined; show: (key: string) => void },
): Promise<string> {
  const before = await openSealing(db, dataDir, options.given)
  const text = randomBytes(KEY_BYTES).toString('base64')
  const after = createSealing(Buffer.from(text, 'base64'))
  if (options.given) options.show(text)
  else await replaceSecretFile(join(dataDir, NEXT_FILE), `${text}\n`)
  await db.asOwner('change encryption key', async (tx) => {
    if ((await lockedKeyId(tx)) !== before.keyId)
      throw new EncryptionKeyProblem('The encryption key was changed by somebody else just now.')
    await reseal(tx, { from: before, to: after })
    await rememberKey(tx, after)
  })
  if (!options.given) await rename(join(dataDir, NEXT_FILE), join(dataDir, ENCRYPTION_KEY_FILE))
  return after.keyId
}

/** The id of the key that the database is sealed with. Others wait until this transaction ends. */
async function lockedKeyId(tx: Transaction): Promise<string | undefined> {
  await tx.query('select pg_advisory_xact_lock($1)', [ENCRYPTION_KEY_LOCK])
  const { rows } = await tx.query<{ key_id: string }>('select key_id from platform.encryption_key')
  return rows[0]?.key_id
}

const rememberKey = (tx: Transaction, { keyId }: Sealing) =>
  tx.query(
    `insert into platform.encryption_key (key_id) values ($1)
     on conflict (only_row) do update set key_id = excluded.key_id`,
    [keyId],
  )

async function keyInFolder(dataDir: string, expected: string | undefined): Promise<Buffer> {
  const file = join(dataDir, ENCRYPTION_KEY_FILE)
  await finishChange(dataDir, expected)
  const stored = await readSecretFile(file)
  if (stored !== undefined) return keyIn(stored, file)
  if (expected !== undefined) throw noKey(expected, file)
  await makeSecretFile(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
  return keyIn((await readSecretFile(file)) ?? '', file)
}

/** A change that was cut off after the database had taken the new key: the folder follows. */
async function finishChange(dataDir: string, expected: string | undefined): Promise<void> {
  const next = join(dataDir, NEXT_FILE)
  const key = parseEncryptionKey((await readSecretFile(next)) ?? '')
  if (key && createSealing(key).keyId === expected) await rename(next, join(dataDir, ENCRYPTION_KEY_FILE))
}

function keyIn(text: string, file: string): Buffer {
  const key = parseEncryptionKey(text)
  if (key) return key
  throw new EncryptionKeyProblem(
    `${file} is damaged: it must hold 32 bytes in base64. Restore it from a backup; without it nobody's second factor ` +
      'and no signing key of this database can be read.',
  )
}

const noKey = (keyId: string, file: string) =>
  new EncryptionKeyProblem(
    `The secrets in this database are sealed with the encryption key ${keyId}, and this machine has none. ` +
      `Set ENCRYPTION_KEY to the key of the machine that was there first, or copy its ${ENCRYPTION_KEY_FILE} to ${file}.`,
  )

const otherKey = (expected: string, found: string, dataDir: string | undefined) =>
  new EncryptionKeyProblem(
    `The secrets in this database are sealed with the encryption key ${expected}, but ` +
      `${dataDir ? join(dataDir, ENCRYPTION_KEY_FILE) : 'ENCRYPTION_KEY'} holds the key ${found}. All machines on one ` +
      `database share one key: set ENCRYPTION_KEY to it, or copy ${ENCRYPTION_KEY_FILE} from the machine that was there first.`,
  )
