import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { SetupError } from '#server/config/env.ts'
import type { Database, Transaction } from '#server/database/port.ts'
import { makeSecretFile, readSecretFile, replaceSecretFile } from './secret-file.ts'

/** Encrypts what has to be read again, so that a copy of the database alone does not hold it (docs/decisions/0016). */
export interface Sealing {
  /** Names the key without telling anything of it: 16 hex digits. */
  readonly keyId: string
  /**
   * Encrypts and authenticates a secret. @param context says what it is and whose, by `sealedAs`: in any other place it
   * does not open
   */
  seal(secret: string, context: string): string
  /** Errors: UnsealFailed when it was sealed with another key, for another place, altered, or never sealed. */
  unseal(sealed: string, context: string): string
}

/** What should be sealed does not open. The message names the place and never the content. */
export class UnsealFailed extends Error {
  constructor(context: string, why: string) {
    super(`${context} does not open: ${why}`)
  }
}

/** Where a secret is kept: the column, and the id of its row. The context of `seal`. */
export const sealedAs = (column: string, rowId: string): string => `${column}:${rowId}`

const KEY_BYTES = 32
const FORM = /^sealed\.v1\.([0-9a-f]{16})\.([\w-]+)$/
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

export const isSealed = (text: string): boolean => FORM.test(text)

/**
 * 32 bytes, written in hex or base64 (also in its form for URLs). undefined: it is neither, or of another length.
 */
export function parseEncryptionKey(text: string): Buffer | undefined {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (!/^[\w+/-]{43}=?$/.test(trimmed)) return undefined
  const key = Buffer.from(trimmed, 'base64')
  return key.length === KEY_BYTES ? key : undefined
}

/** @param key 32 bytes. Errors: RangeError on any other length. */
export function createSealing(key: Buffer): Sealing {
  if (key.length !== KEY_BYTES) throw new RangeError(`a sealing key has ${KEY_BYTES} bytes`)
  const keyId = createHash('sha256').update('walking-together sealing key id').update(key).digest('hex')
  return sealingWith(key, keyId.slice(0, 16))
}

const sealingWith = (key: Buffer, keyId: string): Sealing => ({
  keyId,
  seal(secret, context) {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, key, iv).setAAD(boundTo(keyId, context))
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    const bytes = Buffer.concat([iv, cipher.getAuthTag(), text])
    return `sealed.v1.${keyId}.${bytes.toString('base64url')}`
  },
  unseal(sealed, context) {
    const [, sealedBy, encoded] = FORM.exec(sealed) ?? []
    if (!sealedBy || !encoded) throw new UnsealFailed(context, 'it is not sealed')
    if (sealedBy !== keyId) throw new UnsealFailed(context, `it is sealed with the key ${sealedBy}`)
    const bytes = Buffer.from(encoded, 'base64url')
    const text = decrypt(key, bytes, boundTo(keyId, context))
    if (text === undefined) throw new UnsealFailed(context, 'it was altered, or sealed for another place')
    return text
  },
})

/** Authenticated beside the text: the form, the key and the place. */
const boundTo = (keyId: string, context: string): Buffer => Buffer.from(`v1.${keyId}.${context}`)

/** undefined: the key or what was authenticated beside the text is another one, or the bytes were altered. */
function decrypt(key: Buffer, bytes: Buffer, authenticated: Buffer): string | undefined {
  try {
    const options = { authTagLength: TAG_BYTES }
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), options)
    decipher.setAAD(authenticated).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}

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

interface SealedColumn {
  table: string
  column: string
  /** SQL of the row's id as text, as it stands in the context. */
  id: string
}

/** Every column that holds something sealed. Whoever adds one seals with `sealedAs('<table>.<column>', id)`. */
const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'platform.signing_keys', column: 'private_key', id: 'kid' },
  { table: 'platform.api_keys', column: 'secret', id: `'only'` },
  { table: 'auth.mfa_factors', column: 'secret', id: 'id::text' },
  { table: 'platform.saml_keys', column: 'private_key', id: `'only'` },
  { table: 'auth.flow_state', column: 'provider_access_token', id: 'auth_code' },
  { table: 'auth.flow_state', column: 'provider_refresh_token', id: 'auth_code' },
]

/**
 * Seals what an earlier version left open in the database, and what it sealed with a key that followed from the API's
 * secret key. Does nothing where everything is sealed. Returns how many values were open.
 */
export const sealWhatIsOpen = (db: Database, sealing: Sealing, apiSecret: string): Promise<number> =>
  db.asOwner('seal secrets', (tx) =>
    rewrite(tx, 'open', (text, { id, context }) => {
      if (isSealed(text)) return undefined
      const open = text.startsWith(EARLIER_PREFIX) ? openEarlier(text, id, apiSecret) : text
      return open === undefined ? undefined : sealing.seal(open, context)
    }),
  )

/** Seals everything anew with another key. Errors: UnsealFailed, when something does not open with the first. */
export async function reseal(tx: Transaction, keys: { from: Sealing; to: Sealing }): Promise<void> {
  await rewrite(tx, 'all', (text, { context }) =>
    isSealed(text) ? keys.to.seal(keys.from.unseal(text, context), context) : undefined,
  )
}

type Rewrite = (text: string, row: { id: string; context: string }) => string | undefined

/** Puts what `rewritten` gives in the place of each value, where it gives one. */
async function rewrite(tx: Transaction, which: 'open' | 'all', rewritten: Rewrite): Promise<number> {
  let changed = 0
  for (const { table, column, id: idSql } of SEALED_COLUMNS) {
    const { rows } = await tx.query<{ id: string; text: string }>(
      `select ${idSql} as id, ${column} as text from ${table}
       where ${idSql} is not null and ${column} ${which === 'all' ? 'is not null' : "not like 'sealed.v1.%'"} for update`,
    )
    for (const { id, text } of rows) {
      const replacement = rewritten(text, { id, context: sealedAs(`${table}.${column}`, id) })
      if (replacement === undefined) continue
      await tx.query(`update ${table} set ${column} = $2 where ${idSql} = $1`, [id, replacement])
      changed++
    }
  }
  return changed
}

const EARLIER_PREFIX = 'sealed:'

/** undefined: it was sealed while the API had another secret key, and nobody can read it any more. */
function openEarlier(sealed: string, owner: string, apiSecret: string): string | undefined {
  const key = Buffer.from(hkdfSync('sha256', apiSecret, 'walking-together auth', 'factor secrets', 32))
  const bytes = Buffer.from(sealed.slice(EARLIER_PREFIX.length), 'base64url')
  return decrypt(key, bytes, Buffer.from(owner))
}
