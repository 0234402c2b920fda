import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { openEmptyTestDatabase } from '#tests/support/databases.ts'
import { allMigrations, applyMigrations, migrate, migrationStatus } from './migrate.ts'
import type { Database } from './port.ts'

const log = pino({ level: 'silent' })

/** Everything that migrations can make, as text that can be compared. */
const SCHEMA = `
  select 'table ' || c.oid::regclass || ' ' || c.relkind::text || c.relrowsecurity::text || coalesce(c.relacl::text, '') as part
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'private', 'auth', 'storage', 'supabase_migrations')
  union all select 'column ' || attrelid::regclass || '.' || attname || ' ' || format_type(atttypid, atttypmod) || attnotnull::text
    from pg_attribute where attnum > 0 and attrelid in (
      select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'auth', 'storage'))
  union all select 'function ' || p.oid::regprocedure || ' ' || md5(p.prosrc) || coalesce(p.proacl::text, '')
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('public', 'private', 'auth', 'storage')
  union all select 'policy ' || p.polrelid::regclass || ' ' || p.polname from pg_policy p
  union all select 'trigger ' || t.tgrelid::regclass || ' ' || t.tgname from pg_trigger t where not tgisinternal
  union all select 'constraint ' || c.conrelid::regclass || ' ' || pg_get_constraintdef(c.oid) from pg_constraint c where conrelid <> 0
  union all select 'bucket ' || to_jsonb(b)::text from storage.buckets b
  union all select 'version ' || version from public.content_version
  order by part`

describe('migrations', () => {
  let db: Database
  afterEach(() => db.close())

  const schemaNow = async (): Promise<unknown[]> =>
    (await db.asOwner('test', (tx) => tx.query<{ part: string }>(SCHEMA))).rows.map(({ part }) => part)

  it('can each be applied twice without harm', async () => {
    db = await openEmptyTestDatabase()
    const files = await Promise.all((await allMigrations()).map(({ file }) => readFile(file, 'utf8')))
    expect(files.length).toBeGreaterThanOrEqual(8)
    for (const sql of files) {
      await db.asOwner('test', (tx) => tx.script(sql))
      await db.asOwner('test', (tx) => tx.script(sql))
    }
    const first = await schemaNow()
    // And all of them again, over the finished schema and with rows in it.
    await db.asOwner('test', (tx) =>
      tx.script("insert into public.resources (title, description, category) values ('t', 'd', 'reading')"),
    )
    for (const sql of files) await db.asOwner('test', (tx) => tx.script(sql))
    const changed = (part: unknown) => !String(part).startsWith('version')
    expect((await schemaNow()).filter(changed)).toEqual(first.filter(changed))
  })

  it('are applied once, and never again', async () => {
    db = await openEmptyTestDatabase()
    await migrate(db, log)
    const first = await schemaNow()
    const ledger = () =>
      db.asOwner('test', (tx) =>
        tx.query('select *, xmin::text from supabase_migrations.schema_migrations order by version'),
      )
    const applied = await ledger()
    const files = (await allMigrations())
      .map(({ file }) => file)
      .filter((file) => file.includes('supabase/migrations'))
    expect(files).toHaveLength(applied.rows.length)
    for (const { version, name } of applied.rows) {
      expect(files).toContainEqual(expect.stringMatching(`/${version}_${name}\\.sql$`))
    }
    await migrate(db, log)
    expect(await ledger()).toEqual(applied)
    expect(await schemaNow()).toEqual(first)
  })

  it('take turns when several processes start together', async () => {
    db = await openEmptyTestDatabase()
    await Promise.all([migrate(db, log), migrate(db, log), migrate(db, log)])
    expect(await schemaNow()).toContainEqual(expect.stringMatching(/^bucket .*"images"/))
  })

  it('leave nothing behind when one fails, and say which', async () => {
    db = await openEmptyTestDatabase()
    await db.asOwner('test', (tx) => tx.script('create view public.resources as select 1 as id'))
    await expect(migrate(db, log)).rejects.toThrow(
      /^The database could not be set up \(20261120000100_resources\): .*resources/,
    )
    const { rows } = await db.asOwner('test', (tx) => tx.query("select to_regnamespace('auth') as auth"))
    expect(rows).toEqual([{ auth: null }])
  })

  it('remember what they were, and say which of them was changed afterwards', async () => {
    db = await openEmptyTestDatabase()
    await migrate(db, log)
    const status = () => db.asOwner('test', migrationStatus)
    expect(await status()).toMatchObject({ waiting: [], altered: [], unknown: [] })
    await db.asOwner('test', (tx) =>
      tx.script(
        `update supabase_migrations.migration_checksums set sha256 = repeat('0', 64) where version = '0002'`,
      ),
    )
    const warnings: unknown[] = []
    const watched = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line)) })
    await migrate(db, watched)
    expect(warnings).toMatchObject([
      { migration: 'auth', msg: 'an applied migration was changed afterwards' },
    ])
    expect((await status()).altered).toMatchObject([{ version: '0002', name: 'auth' }])
  })

  it('adopt the sums of those that were applied before sums were kept', async () => {
    db = await openEmptyTestDatabase()
    await migrate(db, log)
    await db.asOwner('test', (tx) => tx.script('drop table supabase_migrations.migration_checksums'))
    expect((await db.asOwner('test', migrationStatus)).altered).toEqual([])
    await migrate(db, log)
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query<{ count: number }>('select count(*)::int from supabase_migrations.migration_checksums'),
    )
    expect(rows).toEqual([{ count: (await allMigrations()).length }])
  })

  it('wait until they are applied', async () => {
    db = await openEmptyTestDatabase()
    expect(await db.asOwner('test', migrationStatus)).toMatchObject({ applied: [], unknown: [] })
    await db.asOwner('test', (tx) =>
      applyMigrations(tx, log, { only: ({ version }) => version.length === 4 }),
    )
    const { applied, waiting } = await db.asOwner('test', migrationStatus)
    expect(applied.at(-1)?.version).toMatch(/^\d{4}$/)
    expect(waiting[0]?.version).toBe('20261120000100')
  })

  it.each(['9999', '29991231235959'])(
    'refuse a database that a newer release (%s) has set up',
    async (version) => {
      db = await openEmptyTestDatabase()
      await migrate(db, log)
      const ledger = version.length === 4 ? 'platform_migrations' : 'schema_migrations'
      await db.asOwner('test', (tx) =>
        tx.script(
          `insert into supabase_migrations.${ledger} (version, name) values ('${version}', 'unheard_of')`,
        ),
      )
      await expect(migrate(db, log)).rejects.toThrow(`set up by a newer release (migration ${version})`)
    },
  )
})
