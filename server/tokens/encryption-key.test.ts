import { createCipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database, Value } from '#server/database/port.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { createAccessTokens } from './access-tokens.ts'
import { agreeOnApiKeys } from './api-keys.ts'
import {
  changeEncryptionKey,
  createSealing,
  ENCRYPTION_KEY_FILE,
  EncryptionKeyProblem,
  openSealing,
  parseEncryptionKey,
  sealedAs,
  sealWhatIsOpen,
} from './encryption.ts'
import { openKeySet } from './signing-keys.ts'

let db: Database
let folder: string
beforeEach(async () => {
  db = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'walking-together-encryption-key-'))
})
afterEach(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})

const machine = (name: string) => join(folder, name)
const keyFile = (name: string) => join(machine(name), ENCRYPTION_KEY_FILE)
const query = async <Row>(sql: string, values: Value[] = []): Promise<Row[]> =>
  (await db.asOwner('test', (tx) => tx.query<Row>(sql, values))).rows
const signingKeys = () => query<{ private_key: string }>('select private_key from platform.signing_keys')
const tokenOptions = { issuer: 'http://site.example/auth/v1', lifetimeSeconds: 3600 }
const claims = { sub: 'a user', role: 'authenticated', session_id: 'a session' }

describe('the encryption key', () => {
  it('is made once, for its owner alone, and found again', async () => {
    const { keyId } = await openSealing(db, machine('one'))
    expect(((await stat(keyFile('one'))).mode & 0o777).toString(8)).toBe('600')
    expect(await readdir(machine('one'))).toEqual([ENCRYPTION_KEY_FILE])
    expect(parseEncryptionKey(await readFile(keyFile('one'), 'utf8'))).toHaveLength(32)
    expect((await openSealing(db, machine('one'))).keyId).toBe(keyId)
  })

  it('is one for all processes that start together on one folder', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => openSealing(db, machine('one'))))
    expect(new Set(opened.map(({ keyId }) => keyId)).size).toBe(1)
  })

  it('given in the environment is used, and written nowhere', async () => {
    const key = randomBytes(32)
    expect((await openSealing(db, machine('one'), key)).keyId).toBe(createSealing(key).keyId)
    await expect(readdir(machine('one'))).rejects.toThrow('ENOENT')
  })

  it('is not in the database', async () => {
    await openSealing(db, machine('one'))
    const text = (await readFile(keyFile('one'), 'utf8')).trim()
    const [{ row } = { row: '' }] = await query<{ row: string }>(
      'select to_jsonb(k)::text as row from platform.encryption_key k',
    )
    expect(row).not.toContain(text)
    expect(row).not.toContain(parseEncryptionKey(text)?.toString('hex'))
  })

  it('that is damaged stops the start, and nothing is made in its place', async () => {
    await openSealing(db, machine('one'))
    await writeFile(keyFile('one'), 'c2hvcnQ=\n')
    await expect(openSealing(db, machine('one'))).rejects.toThrow(`${keyFile('one')} is damaged`)
    expect(await readFile(keyFile('one'), 'utf8')).toBe('c2hvcnQ=\n')
  })
})

describe('a machine that comes to a database sealed by another', () => {
  it('without a key is told what to share, and makes neither an encryption key nor signing keys', async () => {
    await openKeySet(db, await openSealing(db, machine('first')))
    const before = await signingKeys()
    const second = openSealing(db, machine('second'))
    await expect(second).rejects.toBeInstanceOf(EncryptionKeyProblem)
    await expect(second).rejects.toThrow(/Set ENCRYPTION_KEY .* or copy its encryption\.key to /)
    await expect(readdir(machine('second'))).rejects.toThrow('ENOENT')
    expect(await signingKeys()).toEqual(before)
  })

  it('with another key is told so, whether it is in the environment or in its folder', async () => {
    await openSealing(db, machine('first'))
    await expect(openSealing(db, machine('second'), randomBytes(32))).rejects.toThrow(
      'but ENCRYPTION_KEY holds the key',
    )
    const elsewhere = await openTestDatabase()
    await openSealing(elsewhere, machine('second')).finally(() => elsewhere.close())
    await expect(openSealing(db, machine('second'))).rejects.toThrow(
      /encryption\.key holds the key .* share one key/,
    )
  })

  it('goes on with the key that it is given', async () => {
    const first = await openSealing(db, machine('first'))
    const shared = parseEncryptionKey(await readFile(keyFile('first'), 'utf8'))
    expect((await openSealing(db, machine('second'), shared)).keyId).toBe(first.keyId)
  })
})

/** What an earlier version kept: keys in the open, and a factor sealed with what followed from the API's key. */
async function earlierInstallation(apiSecret: string) {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  const key = JSON.stringify({ ...jwk, alg: 'ES256', kid })
  await query('insert into platform.signing_keys (kid, private_key) values ($1, $2)', [kid, key])
  await query('insert into platform.api_keys (publishable, secret) values ($1, $2)', [
    'sb_publishable_earlier',
    apiSecret,
  ])
  const [user, factor, plain] = [randomUUID(), randomUUID(), randomUUID()]
  await query('insert into auth.users (id, email) values ($1, $2)', [user, 'earlier@example.org'])
  for (const [id, secret] of [
    [factor, sealedEarlier('JBSWY3DPEHPK3PXP', factor, apiSecret)],
    [plain, 'GEZDGNBVGY3TQOJQ'],
  ] as const) {
    await query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
       values ($1::uuid, $2, $1::text, 'totp', 'verified', $3, now(), now())`,
      [id, user, secret],
    )
  }
  return { kid, d: String(jwk.d), factor, plain }
}

function sealedEarlier(secret: string, owner: string, apiSecret: string): string {
  const key = Buffer.from(hkdfSync('sha256', apiSecret, 'walking-together auth', 'factor secrets', 32))
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner))
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return `sealed:${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`
}

const factorSecret = async (id: string) =>
  (await query<{ secret: string }>('select secret from auth.mfa_factors where id = $1', [id]))[0]?.secret ??
  ''

describe('an installation of an earlier version', () => {
  it('is sealed at the start, and goes on with its keys and factors', async () => {
    const apiSecret = 'sb_secret_of_an_earlier_version'
    const { kid, d, factor, plain } = await earlierInstallation(apiSecret)
    const sealing = await openSealing(db, machine('one'))
    const keys = await agreeOnApiKeys(db, sealing, { dataDir: machine('one') })
    expect(keys.secret).toBe(apiSecret)
    expect(await sealWhatIsOpen(db, sealing, keys.secret)).toBe(4)
    expect(await sealWhatIsOpen(db, sealing, keys.secret)).toBe(0)

    const everything = JSON.stringify([
      await signingKeys(),
      await query('select * from platform.api_keys'),
      await query('select secret from auth.mfa_factors'),
    ])
    for (const open of [d, apiSecret, 'GEZDGNBVGY3TQOJQ']) expect(everything).not.toContain(open)
    expect((await (await openKeySet(db, sealing)).current()).kid).toBe(kid)
    expect((await agreeOnApiKeys(db, sealing, { dataDir: machine('one') })).secret).toBe(apiSecret)
    const opened = async (id: string) =>
      sealing.unseal(await factorSecret(id), sealedAs('auth.mfa_factors.secret', id))
    expect([await opened(factor), await opened(plain)]).toEqual(['JBSWY3DPEHPK3PXP', 'GEZDGNBVGY3TQOJQ'])
  })
})

describe('npm run keys -- reseal', () => {
  const show = () => expect.unreachable()

  it('seals everything with a new key, which the folder then holds; tokens go on', async () => {
    const { factor } = await earlierInstallation('sb_secret_of_an_earlier_version')
    const before = await openSealing(db, machine('one'))
    const keys = await agreeOnApiKeys(db, before, { dataDir: machine('one') })
    await sealWhatIsOpen(db, before, keys.secret)
    const { token } = await createAccessTokens(await openKeySet(db, before), tokenOptions).sign(claims)
    const oldKey = await readFile(keyFile('one'), 'utf8')

    const keyId = await changeEncryptionKey(db, machine('one'), { show })
    expect((await readdir(machine('one'))).sort()).toEqual(['api-keys.json', ENCRYPTION_KEY_FILE])
    const after = await openSealing(db, machine('one'))
    expect(after.keyId).toBe(keyId)
    expect(await readFile(keyFile('one'), 'utf8')).not.toBe(oldKey)
    const verifier = createAccessTokens(await openKeySet(db, after), tokenOptions)
    expect(await verifier.verify(token)).toMatchObject(claims)
    expect(await agreeOnApiKeys(db, after, { dataDir: machine('one') })).toEqual(keys)
    expect(after.unseal(await factorSecret(factor), sealedAs('auth.mfa_factors.secret', factor))).toBe(
      'JBSWY3DPEHPK3PXP',
    )
    await expect(openKeySet(db, before)).rejects.toThrow('sealed with the key')
  })

  it('that is cut off after the database took the new key is finished at the next start', async () => {
    await openKeySet(db, await openSealing(db, machine('one')))
    const oldKey = await readFile(keyFile('one'), 'utf8')
    const keyId = await changeEncryptionKey(db, machine('one'), { show })
    // As the crash leaves it: the new key is still beside the old one.
    await writeFile(`${keyFile('one')}.next`, await readFile(keyFile('one')))
    await writeFile(keyFile('one'), oldKey)
    expect((await openSealing(db, machine('one'))).keyId).toBe(keyId)
    expect(await readdir(machine('one'))).toEqual([ENCRYPTION_KEY_FILE])
  })

  it('that is cut off before leaves the old key in force', async () => {
    const { keyId } = await openSealing(db, machine('one'))
    await writeFile(`${keyFile('one')}.next`, randomBytes(32).toString('base64'))
    expect((await openSealing(db, machine('one'))).keyId).toBe(keyId)
  })

  it('leaves everything as it is when something does not open', async () => {
    const sealing = await openSealing(db, machine('one'))
    await openKeySet(db, sealing)
    await query('insert into platform.api_keys (publishable, secret) values ($1, $2)', [
      'sb_publishable_x',
      createSealing(randomBytes(32)).seal('sb_secret_x', 'elsewhere'),
    ])
    await expect(changeEncryptionKey(db, machine('one'), { show })).rejects.toThrow('does not open')
    expect((await openSealing(db, machine('one'))).keyId).toBe(sealing.keyId)
    expect(await openKeySet(db, sealing)).toBeDefined()
  })

  it('shows the new key where it was given in the environment, before it is in force', async () => {
    const given = randomBytes(32)
    await openKeySet(db, await openSealing(db, machine('one'), given))
    const shown: string[] = []
    const keyId = await changeEncryptionKey(db, machine('one'), { given, show: (key) => shown.push(key) })
    const next = parseEncryptionKey(shown[0] ?? '')
    expect((await openSealing(db, machine('one'), next)).keyId).toBe(keyId)
    await expect(openSealing(db, machine('one'), given)).rejects.toBeInstanceOf(EncryptionKeyProblem)
  })
})
