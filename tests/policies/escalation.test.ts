import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Transaction } from '#server/database/port.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { attempt, ids, openWorld, outcomeOf } from './world.ts'

const addResource = "insert into public.resources (title, description, category) values ('t', 'd', 'reading')"

/**
 * Callers of the API never send SQL. These tests run what a caller could do if a hole let some in, short of leaving the
 * role: `reset role` always works in raw SQL, because the login is the owner. Hence the last group of tests.
 */
describe('nobody rises above their role', () => {
  let db: Database
  beforeAll(async () => {
    db = await openWorld(openTestDatabase)
  })
  afterAll(() => db.close())

  it.each<[what: string, claims: Caller['claims']]>([
    ['the role of the service', { sub: ids.member, role: 'service_role' }],
    [
      'being an admin',
      { sub: ids.member, role: 'admin', app_metadata: { role: 'admin' }, user_metadata: { role: 'admin' } },
    ],
    ['no account', {}],
    ['an empty account', { sub: '' }],
    ['an account that is gone', { sub: ids.nobody }],
  ])('claims of %s give no more rights', async (_what, claims) => {
    expect(await outcomeOf(db, { role: 'authenticated', claims }, addResource)).toBe('refused')
  })

  it('an account id that is none is an error of the claims, not a way in', async () => {
    const asked = attempt(db, { role: 'authenticated', claims: { sub: 'x' } }, (tx) => tx.query(addResource))
    expect(await asked).toMatchObject({ error: { code: '22P02' } })
  })

  it.each<[what: string, prepare: string]>([
    [
      'a table of that name',
      `create temp table users (id uuid, role text); insert into users values ('${ids.member}', 'admin')`,
    ],
    [
      'a function of that name',
      "create function pg_temp.uid() returns uuid language sql as $$ select '00000000-0000-4000-8000-000000000003'::uuid $$",
    ],
    [
      'an operator of that name',
      `create function pg_temp.same(uuid, uuid) returns boolean language sql as 'select true';
      create operator pg_temp.= (leftarg = uuid, rightarg = uuid, function = pg_temp.same)`,
    ],
  ])('no definer function is fooled by a search path with %s', async (_what, prepare) => {
    const fooled = await attempt(db, 'member', async (tx) => {
      await tx.script(`${prepare}; set local search_path = pg_temp, public, auth, pg_catalog`)
      return (await tx.query('select private.is_admin() as admin')).rows
    })
    expect(fooled).toEqual({ result: [{ admin: false }] })
  })

  it.each([
    'create table public.mine ()',
    'create function public.mine() returns int language sql as $$ select 1 $$',
    'create schema mine',
    'alter table public.resources disable row level security',
    'alter table public.users disable trigger all',
    'drop policy "admins add resources" on public.resources',
    'create policy mine on public.resources using (true)',
    'alter role anon superuser',
    'create role mine',
    "set session_replication_role = 'replica'",
    "copy public.resources to program 'cat'",
    "select pg_read_file('/etc/passwd')",
    "select pg_ls_dir('.')",
    "select lo_import('/etc/passwd')",
    'select * from pg_authid',
    'select * from auth.users',
    "select set_config('session_replication_role', 'replica', true)",
  ])('a member may not: %s', async (sql) => {
    expect(await outcomeOf(db, 'member', sql)).toBe('refused')
  })

  it('row-level security cannot be switched off, only made to complain', async () => {
    const off = (tx: Transaction) =>
      tx.script('set local row_security = off').then(() => tx.query('select title from public.resources'))
    expect(await attempt(db, 'visitor', off)).toMatchObject({ error: { code: '42501' } })
  })

  describe('in the catalogue', () => {
    const names = async (sql: string) =>
      (await db.asOwner('test', (tx) => tx.query<{ name: string }>(sql))).rows.map(({ name }) => name)
    const ours = "n.nspname in ('public', 'private', 'auth', 'storage', 'platform')"

    it('every table of ours has row-level security', async () => {
      const open = `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p', 'v', 'm') and not c.relrowsecurity and ${ours}`
      expect(await names(open)).toEqual([])
    })

    it('exactly these functions can be called from outside', async () => {
      const callable = (role: string) => `select p.oid::regprocedure::text as name from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'public' and has_function_privilege('${role}', p.oid, 'execute') order by name`
      const count = 'count_resources(text,text,smallint,text[],text)'
      const search = 'search_resources(text,text,smallint,text[],text,integer)'
      const page = 'search_page(text,text,smallint,text[],text,integer,integer)'
      const forEverybody = [count, 'resource_locations(text)', page, search]
      expect(await names(callable('anon'))).toEqual(forEverybody)
      expect(await names(callable('authenticated'))).toEqual([
        'admin_access()',
        count,
        'delete_account()',
        'end_own_session(uuid)',
        'export_account()',
        'media_uses(text)',
        'own_sessions()',
        'resource_locations(text)',
        'restore_resource(uuid)',
        'retry_message(uuid)',
        'save_resource(uuid)',
        page,
        search,
        'storage_usage()',
        'unsave_resource(uuid)',
        'unsent_messages()',
      ])
    })

    it('a function that a later migration forgets to close is closed', async () => {
      const made = (tx: Transaction) =>
        tx.script("create function public.forgotten() returns text language sql as $$ select 'secret' $$")
      await db.asOwner('test', made)
      expect(await outcomeOf(db, 'visitor', 'select public.forgotten()')).toBe('refused')
      await db.asOwner('test', (tx) => tx.script('drop function public.forgotten()'))
    })

    it('every function that acts as its owner has a fixed search path', async () => {
      const loose = `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where p.prosecdef and ${ours} and not coalesce('search_path=""' = any (p.proconfig), false)`
      expect(await names(loose)).toEqual([])
    })

    it('no function runs text as SQL, or changes the role or another setting', async () => {
      const risky = `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where ${ours} and p.prosrc ~* '\\m(execute|set_config|reset|set\\s+(local|session|role)|query_to_xml|dblink)\\M'`
      expect(await names(risky)).toEqual([])
    })
  })
})
