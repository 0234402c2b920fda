import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openAccounts } from '#server/backend/embedded.ts'
import { readConfig } from '#server/config/config.ts'
import { SetupError } from '#server/config/env.ts'
import type { Database } from '#server/database/port.ts'
import { createAdmission } from '#server/http/admission.ts'
import { openJobs } from '#server/jobs/open.ts'
import { createAccessTokens } from '#server/tokens/access-tokens.ts'
import { openKeySet, rotateSigningKey } from '#server/tokens/signing-keys.ts'
import { apiKeys, sealing } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

const options = { issuer: 'http://site.example/auth/v1', lifetimeSeconds: 3600 }
const claims = { sub: 'a user', role: 'authenticated', session_id: 'a session' }

describe('signing keys', () => {
  let db: Database
  afterEach(async () => {
    vi.restoreAllMocks()
    await db.close()
  })

  it('are made once, also by processes that start together', async () => {
    db = await openTestDatabase()
    const sets = await Promise.all([
      openKeySet(db, sealing),
      openKeySet(db, sealing),
      openKeySet(db, sealing),
    ])
    const published = await Promise.all(sets.map((set) => set.published()))
    expect(published.map((keys) => keys.length)).toEqual([1, 1, 1])
    expect(new Set(published.flat().map((key) => key.kid)).size).toBe(1)
  })

  it('survive a restart', async () => {
    db = await openTestDatabase()
    const { token } = await createAccessTokens(await openKeySet(db, sealing), options).sign(claims)
    const restarted = createAccessTokens(await openKeySet(db, sealing), options)
    expect(await restarted.verify(token)).toMatchObject(claims)
  })

  it('can be changed while tokens of the earlier one go on', async () => {
    db = await openTestDatabase()
    const before = await openKeySet(db, sealing)
    const { token } = await createAccessTokens(before, options).sign(claims)
    const kid = await rotateSigningKey(db, sealing, 3700)
    const after = await openKeySet(db, sealing)
    expect((await after.current()).kid).toBe(kid)
    expect(await after.published()).toHaveLength(2)
    expect(await createAccessTokens(after, options).verify(token)).toMatchObject(claims)
  })

  it('that another process has added are found when their first token arrives', async () => {
    db = await openTestDatabase()
    const here = await openKeySet(db, sealing)
    await rotateSigningKey(db, sealing, 3700)
    const { token } = await createAccessTokens(await openKeySet(db, sealing), options).sign(claims)
    const soon = performance.now() + 6_000
    vi.spyOn(performance, 'now').mockImplementation(() => soon)
    expect(await createAccessTokens(here, options).verify(token)).toMatchObject(claims)
  })

  it('that have retired verify nothing any more', async () => {
    db = await openTestDatabase()
    const { token } = await createAccessTokens(await openKeySet(db, sealing), options).sign(claims)
    await rotateSigningKey(db, sealing, 0)
    const after = await openKeySet(db, sealing)
    expect(await after.published()).toHaveLength(1)
    await expect(createAccessTokens(after, options).verify(token)).rejects.toThrow('No suitable key')
  })

  it('of the owner are read from a file, as the Supabase CLI writes it', async () => {
    db = await openTestDatabase()
    const folder = await mkdtemp(join(tmpdir(), 'walking-together-keys-'))
    const file = join(folder, 'keys.json')
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const config = readConfig({ AUTH_SIGNING_KEYS: file, DATA_DIR: folder })
    const log = pino({ level: 'silent' })
    const admission = createAdmission(config)
    const jobs = openJobs(db, log)
    const start = () => openAccounts({ db, jobs, keys: apiKeys, sealing, admission, config, log })
    await expect(start()).rejects.toThrow('AUTH_SIGNING_KEYS names a file')
    for (const wrong of ['nonsense', '[{"kty":"EC"}]', '{"keys":[{"kty":"RSA","d":"x"}]}']) {
      await writeFile(file, wrong)
      await expect(start()).rejects.toBeInstanceOf(SetupError)
    }
    await writeFile(file, JSON.stringify([{ ...(await exportJWK(privateKey)), kid: 'ours' }]))
    const { auth } = await start()
    const { keys } = await (await auth.request('/.well-known/jwks.json')).json()
    expect(keys[0]).toMatchObject({ kid: 'ours', alg: 'RS256' })
    await rm(folder, { recursive: true })
  })

  it('of the owner come first', async () => {
    db = await openTestDatabase()
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const given = { ...(await exportJWK(privateKey)), kid: 'ours' }
    const set = await openKeySet(db, sealing, [given])
    expect(await set.current()).toMatchObject({ kid: 'ours', alg: 'RS256' })
    expect(await set.published()).toHaveLength(2)
  })
})
