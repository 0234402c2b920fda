import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSealing, sealedAs } from '#server/tokens/encryption.ts'
import { fileDigests, fill, openPlace, type TestPlace, tableDigests } from '#tests/support/backups.ts'
import { placeOfArchive } from './archives/open.ts'
import type { ArchivePlace } from './archives/port.ts'
import { makeBackup } from './nightly.ts'
import { type Occupied, restore, TargetOccupied } from './restore.ts'
import { tablesOfMigrations, tablesToKeep } from './session.ts'

const log = pino({ level: 'silent' })
const places: TestPlace[] = []
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archives-'))
})
afterEach(async () => {
  for (const place of places.splice(0)) await place.remove()
  await rm(folder, { recursive: true, force: true })
})

const open = async (options?: Parameters<typeof openPlace>[0]) => {
  const place = await openPlace(options)
  places.push(place)
  return place
}
const archiveAt = (name = 'a.tar'): Promise<ArchivePlace> => placeOfArchive(join(folder, name))
const refuse = async ({ what }: Occupied) => {
  throw new TargetOccupied(what)
}
const agree = async () => undefined
const restoreInto = async (target: TestPlace, options: Partial<Parameters<typeof restore>[2]> = {}) =>
  restore(await archiveAt(), target, { log, onOccupied: refuse, ...options })

describe('a restored backup', () => {
  it.each([
    ['disk', 's3', 'an empty database'],
    ['s3', 'disk', 'a migrated database'],
    ['disk', 'disk', 'a login that is no superuser'],
  ] as const)(
    'is what was backed up: from %s to %s, into %s',
    async (from, to, where) => {
      const source = await open({ files: from })
      const { userId, sha256 } = await fill(source)
      const made = await makeBackup(source, await archiveAt())
      expect(made.manifest.files).toMatchObject({ count: 3, bytes: 9_000_010, missing: [] })

      const target = await open({
        files: to,
        ...(where !== 'a migrated database' && { template: 'template0' }),
        ordinaryLogin: where === 'a login that is no superuser',
      })
      await restoreInto(target)
      expect(await tableDigests(target)).toEqual(await tableDigests(source))
      expect(await fileDigests(target)).toEqual(new Map([...sha256].sort()))
      // Sealed with the target's own key now.
      const { rows } = await target.db.asOwner('test', (tx) =>
        tx.query<{ secret: string }>('select secret from auth.mfa_factors'),
      )
      const context = sealedAs('auth.mfa_factors.secret', userId)
      expect(createSealing(target.encryptionKey).unseal(rows[0]?.secret ?? '', context)).toBe(
        'JBSWY3DPEHPK3PXP',
      )
      // Triggers, keys and counters are at work again.
      await target.db.asOwner('test', async (tx) => {
        const before = await tx.query<{ version: number }>('select version from public.content_version')
        await tx.query(
          `insert into public.resources (title, description, category) values ('t', 'd', 'reading')`,
        )
        const after = await tx.query<{ version: number }>('select version from public.content_version')
        expect(after.rows[0]?.version).toBeGreaterThan(before.rows[0]?.version ?? 0)
        await tx.query(
          `insert into auth.refresh_tokens (token, session_id) select 'another', id from auth.sessions`,
        )
      })
      await expect(
        target.db.asOwner('test', (tx) =>
          tx.query('insert into auth.sessions (id, user_id) values ($1, $1)', [
            '00000000-0000-4000-8000-000000000009',
          ]),
        ),
      ).rejects.toThrow('foreign key')
      expect(await target.files.readMarker()).toBeDefined()
    },
    60_000,
  )

  it('replaces what is there only when it may', async () => {
    const [source, target] = [await open(), await open()]
    await fill(source)
    const there = await fill(target)
    await makeBackup(source, await archiveAt())
    const before = await tableDigests(target)
    await expect(restoreInto(target)).rejects.toThrow('The database holds data already. Nothing was changed.')
    expect(await tableDigests(target)).toEqual(before)

    const occupied: Occupied[] = []
    await restoreInto(target, { onOccupied: async (found) => void occupied.push(found) })
    expect(occupied).toMatchObject([{ hasRows: true }])
    expect(await tableDigests(target)).toEqual(await tableDigests(source))
    // Nobody's bytes are removed by a restore.
    for (const key of there.sha256.keys()) expect((await fileDigests(target)).has(key)).toBe(true)
  })

  it('is refused where files are that are not its own, or that somebody has claimed', async () => {
    const source = await open()
    await fill(source)
    await makeBackup(source, await archiveAt())
    const [strange, claimed] = [await open({ template: 'template0' }), await open({ template: 'template0' })]
    await strange.files.write('00000000-0000-4000-8000-00000000000f', Buffer.from('somebody else'))
    await expect(restoreInto(strange)).rejects.toThrow('The place for files holds files already')
    await claimed.files.writeMarker('00000000-0000-4000-8000-00000000000e')
    await expect(restoreInto(claimed)).rejects.toThrow('belongs to an installation already')
    await restoreInto(claimed, { onOccupied: agree })
    const { rows } = await claimed.db.asOwner('test', (tx) => tx.query('select id from storage.installation'))
    expect(rows).toEqual([{ id: '00000000-0000-4000-8000-00000000000e' }])
  })

  it('leaves an empty place empty when it fails at the last moment, and can be done again', async () => {
    const [source, target] = [await open(), await open({ template: 'template0' })]
    await fill(source)
    await makeBackup(source, await archiveAt())
    const fail = async () => {
      throw new Error('the power went away')
    }
    await expect(restoreInto(target, { inspect: fail })).rejects.toThrow('the power went away')
    const { rows } = await target.db.asOwner('test', (tx) =>
      tx.query(`select to_regclass('auth.users') as users`),
    )
    expect(rows).toEqual([{ users: null }])
    expect([...(await fileDigests(target))]).toEqual([])
    await restoreInto(target)
    expect(await tableDigests(target)).toEqual(await tableDigests(source))
  })

  it('is refused while the service runs on the database', async () => {
    const [source, target] = [await open(), await open()]
    await makeBackup(source, await archiveAt())
    const stop = await target.db.listen(
      'somebody_listens',
      () => undefined,
      () => undefined,
    )
    await expect(restoreInto(target)).rejects.toThrow('Walking Together is running on this database')
    await stop()
  })

  it('is refused when it is of a newer release, and so is a target of a newer one', async () => {
    const [source, target] = [await open(), await open()]
    const newer = `insert into supabase_migrations.schema_migrations (version, name) values ('29990101000000', 'later')`
    await source.db.asOwner('test', (tx) => tx.script(newer))
    await makeBackup(source, await archiveAt())
    await expect(restoreInto(target)).rejects.toThrow(
      'comes from a newer release (release 0.0.0-test, migration 29990101000000)',
    )
    await makeBackup(target, await archiveAt('b.tar'))
    const fromTarget = restore(await archiveAt('b.tar'), source, { log, onOccupied: agree })
    await expect(fromTarget).rejects.toThrow('set up by a newer release')
  })

  it('keeps tables that are not ours out of it, and never drops them', async () => {
    const [source, target] = [await open(), await open()]
    await fill(source)
    for (const { db } of [source, target]) {
      await db.asOwner('test', (tx) => tx.script('create table public.shop_orders (id int)'))
    }
    const { manifest } = await makeBackup(source, await archiveAt())
    expect(manifest.tables.map(({ name }) => name)).not.toContain('shop_orders')
    await fill(target)
    await expect(restoreInto(target, { onOccupied: agree })).rejects.toThrow('not ours: public.shop_orders')
  })

  it('brings older archives to the newest schema', async () => {
    const source = await open()
    await fill(source)
    // As a release before these two migrations would have left it.
    await source.db.asOwner('test', (tx) =>
      tx.script(`
        drop table platform.restored_jobs;
        delete from supabase_migrations.platform_migrations where version = '0130';`),
    )
    await makeBackup(source, await archiveAt())
    for (const template of ['template0', 'migrated']) {
      const target = await open({ template })
      await restoreInto(target)
      const { rows } = await target.db.asOwner('test', (tx) =>
        tx.query(
          `select to_regclass('platform.restored_jobs')::text as jobs, (select count(*)::int from auth.users) as users`,
        ),
      )
      expect(rows).toEqual([{ jobs: 'platform.restored_jobs', users: 1 }])
    }
  })
})

describe('a backup', () => {
  it('says which bytes were lost, and holds the rest', async () => {
    const source = await open()
    const { sha256 } = await fill(source, { sizes: [10, 20] })
    const [lost] = sha256.keys()
    await source.files.remove(lost ?? '')
    const { manifest } = await makeBackup(source, await archiveAt())
    expect(manifest.files).toMatchObject({ count: 1, missing: [lost] })
  })

  it('is of one moment, however much is written meanwhile', async () => {
    const source = await open()
    await fill(source)
    let isOver = false
    const pairs = async () => {
      for (let n = 0; !isOver; n++) {
        await source.db.asOwner('test', async (tx) => {
          // Both or neither: a session without its account, or the other way round, would show two moments.
          const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
          await tx.query(`insert into auth.users (id, email) values ($1, $2)`, [id, `${n}@example.org`])
          await tx.query('insert into auth.sessions (id, user_id) values ($1, $1)', [id])
        })
      }
    }
    const writing = pairs()
    const { manifest } = await makeBackup(source, await archiveAt()).finally(() => {
      isOver = true
    })
    await writing
    const rowsOf = (name: string) =>
      manifest.tables.find((table) => table.name === name && table.schema === 'auth')?.rows
    expect(rowsOf('users')).toBe(rowsOf('sessions'))
    const target = await open({ template: 'template0' })
    await restoreInto(target)
  })

  it('holds every table that migrations make, by the name under which they make it', async () => {
    const place = await open()
    const made = await tablesOfMigrations()
    const { rows } = await place.db.asOwner('test', (tx) =>
      tx.query<{ name: string }>(
        `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind = 'r' and n.nspname in ('auth', 'platform', 'private', 'public', 'storage') order by 1`,
      ),
    )
    expect(rows.map(({ name }) => name).filter((name) => !made.has(name))).toEqual([])
    const kept = (await place.db.asOwner('test', tablesToKeep)).map(({ schema, name }) => `${schema}.${name}`)
    expect(rows.map(({ name }) => name).filter((name) => !kept.includes(name))).toEqual([
      'platform.encryption_key',
      'platform.rate_limits',
      'public.backup_runs',
      'storage.image_variants',
      'storage.quarantined_objects',
      'storage.retired_bytes',
    ])
  })
})
