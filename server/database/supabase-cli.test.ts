import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import type { Database } from './port.ts'

const folder = join(import.meta.dirname, '../../supabase')

type Settings = Record<string, Record<string, unknown>>

/** As much of TOML as our file uses: tables, and one-line values that are also JSON. */
function readToml(text: string): Settings {
  const settings: Settings = { '': {} }
  let table = ''
  for (const line of text.split('\n').filter((each) => each.trim() && !each.startsWith('#'))) {
    const [, name] = /^\[(.+)\]$/.exec(line) ?? []
    const [, key, value] = /^(\w+) = (.+)$/.exec(line) ?? []
    if (name) table = name
    else if (key && value) settings[table] = { ...settings[table], [key]: JSON.parse(value) }
    else throw new Error(`not understood: ${line}`)
  }
  return settings
}

const bytesOf = (size: unknown): number => Number(/^(\d+)MiB$/.exec(String(size))?.[1]) * 1024 * 1024

describe('what the Supabase CLI sends to a hosted project', () => {
  let settings: Settings
  let db: Database
  beforeAll(async () => {
    settings = readToml(await readFile(join(folder, 'config.toml'), 'utf8'))
    db = await openTestDatabase()
  })
  afterAll(() => db.close())

  it('has the same buckets as the migrations', async () => {
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query(
        `select id, public, file_size_limit as limit, allowed_mime_types as types from storage.buckets`,
      ),
    )
    expect(rows).toHaveLength(2)
    for (const { id, public: open, limit, types } of rows) {
      const bucket = settings[`storage.buckets.${id}`]
      expect(bucket).toMatchObject({ public: open, allowed_mime_types: types })
      expect(bytesOf(bucket?.file_size_limit)).toBe(limit)
      expect(bytesOf(settings.storage?.file_size_limit)).toBeGreaterThanOrEqual(Number(limit))
    }
  })

  it('has the same settings as our own server has by default', () => {
    const { rest, auth, siteUrl } = readConfig({})
    expect(settings['']).toEqual({ project_id: 'walking-together' })
    expect(settings.api).toMatchObject({ schemas: rest.schemas, max_rows: rest.maxRows })
    expect(settings.auth).toMatchObject({
      site_url: siteUrl,
      jwt_expiry: auth.jwtExpirySeconds,
      enable_signup: !auth.disableSignup,
      enable_anonymous_sign_ins: auth.anonymous,
      enable_manual_linking: auth.manualLinking,
      minimum_password_length: auth.password.minLength,
      additional_redirect_urls: auth.redirectUrls,
    })
    expect(settings['auth.email']).toMatchObject({
      enable_confirmations: !auth.autoconfirm,
      max_frequency: `${auth.emailIntervalSeconds}s`,
    })
  })

  it('names its migrations as the CLI wants them', async () => {
    const names = await readdir(join(folder, 'migrations'))
    for (const name of names) expect(name).toMatch(/^\d{14}_[a-z_]+\.sql$/)
    expect(new Set(names.map((name) => name.slice(0, 14))).size).toBe(names.length)
  })
})
