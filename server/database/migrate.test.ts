import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { emptyDatabases } from '#tests/support/databases.ts'
import { allMigrations, migrate } from './migrate.ts'
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

describe.each(emptyDatabases)('migrations on %s', (_name, open) => {
  let db: Database
  afterEach(() => db.close())

  const schemaNow = async (): Promise<unknown[]> =>
    (await db.asOwner('test', (tx) => tx.query<{ part: string }>(SCHEMA))).rows.map(({ part }) => part)

  it('can each be applied twice without harm', async () => {
    db = await open()
    const files = await Promise.all((await allMigrations()).map((file) => readFile(file, 'utf8')))
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
    db = await open()
    await migrate(db, log)
    const first = await schemaNow()
    const ledger = () =>
      db.asOwner('test', (tx) =>
        tx.query('select *, xmin::text from supabase_migrations.schema_migrations order by version'),
      )
    const applied = await ledger()
    const files = (await allMigrations()).filter((file) => file.includes('supabase/migrations'))
    expect(files).toHaveLength(applied.rows.length)
    for (const { version, name } of applied.rows) {
      expect(files).toContainEqual(expect.stringMatching(`/${version}_${name}\\.sql$`))
    }
    await migrate(db, log)
    expect(await ledger()).toEqual(applied)
    expect(await schemaNow()).toEqual(first)
  })

  it('take turns when several processes start together', async () => {
    db = await open()
    await Promise.all([migrate(db, log), migrate(db, log), migrate(db, log)])
    expect(await schemaNow()).toContainEqual(expect.stringMatching(/^bucket .*"images"/))
  })

  it('leave nothing behind when one fails, and say which', async () => {
    db = await open()
    await db.asOwner('test', (tx) => tx.script('create view public.resources as select 1 as id'))
    await expect(migrate(db, log)).rejects.toThrow(
      /^The database could not be set up \(20261120000100_resources\): .*resources/,
    )
    const { rows } = await db.asOwner('test', (tx) => tx.query("select to_regnamespace('auth') as auth"))
    expect(rows).toEqual([{ auth: null }])
  })
})
