import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealing } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { agreeOnApiKeys, loadApiKeys } from './api-keys.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'walking-together-shared-keys-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const machine = (name: string) => join(folder, name)

describe('machines on one PostgreSQL', () => {
  it('agree on one pair of keys when they start together, and keep it in their folders', async () => {
    const db = await openTestDatabase()
    const folders = ['a', 'b', 'c', 'd'].map(machine)
    const keys = await Promise.all(folders.map((dataDir) => agreeOnApiKeys(db, sealing, { dataDir })))
    expect(new Set(keys.map(({ secret, publishable }) => secret + publishable)).size).toBe(1)
    for (const dataDir of folders) expect(await loadApiKeys(dataDir, {})).toEqual(keys[0])
    expect(((await stat(join(machine('d'), 'api-keys.json'))).mode & 0o777).toString(8)).toBe('600')
    await db.close()
  })

  it('go on with the keys of the machine that was there before', async () => {
    const db = await openTestDatabase()
    const before = await loadApiKeys(machine('old'), {})
    expect(await agreeOnApiKeys(db, sealing, { dataDir: machine('old') })).toEqual(before)
    expect(await agreeOnApiKeys(db, sealing, { dataDir: machine('new') })).toEqual(before)
    await db.close()
  })

  it('take what the environment says, and write nothing of it down', async () => {
    const db = await openTestDatabase()
    const given = { publishable: 'sb_publishable_given', secret: 'sb_secret_given' }
    expect(await agreeOnApiKeys(db, sealing, { dataDir: machine('given'), given })).toEqual(given)
    const { rows } = await db.asOwner('test', (tx) => tx.query('select from platform.api_keys'))
    expect(rows).toEqual([])
    await db.close()
  })
})
