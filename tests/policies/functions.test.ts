import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { attempt, cases, ids, type Line, openWorld, outcomeOf, type Who } from './world.ts'

const operations: Record<string, string> = {
  'save a resource': `select public.save_resource('${ids.open}')`,
  'unsave a resource': `select public.unsave_resource('${ids.open}')`,
  'list the locations': 'select public.resource_locations()',
  'ask who is an admin': 'select private.is_admin()',
  'ask for the end of a grade': "select private.grade_end('K-5', true)",
  'read the claims': 'select auth.uid(), auth.role(), auth.jwt(), auth.email()',
  'read the accounts': 'select * from auth.users',
  'read the ledgers of migrations': 'select * from supabase_migrations.schema_migrations',
}

const columns: Who[] = ['visitor', 'member', 'admin', 'service']
const table: Line[] = [
  ['save a resource', 'refused', 'allowed', 'allowed', 'allowed'],
  ['unsave a resource', 'refused', 'allowed', 'allowed', 'allowed'],
  ['list the locations', 'allowed', 'allowed', 'allowed', 'allowed'],
  ['ask who is an admin', 'refused', 'allowed', 'allowed', 'allowed'],
  ['ask for the end of a grade', 'refused', 'allowed', 'allowed', 'allowed'],
  ['read the claims', 'allowed', 'allowed', 'allowed', 'allowed'],
  ['read the accounts', 'refused', 'refused', 'refused', 'refused'],
  ['read the ledgers of migrations', 'refused', 'refused', 'refused', 'refused'],
]

describe('functions', () => {
  let db: Database
  beforeAll(async () => {
    db = await openWorld(openTestDatabase)
  })
  afterAll(() => db.close())

  it.each(cases(columns, table))('%s may %s: %s', async (who, operation, outcome) => {
    expect(await outcomeOf(db, who, String(operations[operation]))).toBe(outcome)
  })

  it('saving adds an id once, unsaving removes it, and both answer the list', async () => {
    const lists = await attempt(db, 'member', async (tx) => {
      const call = async (name: string, id: string) =>
        (await tx.query<{ list: string[] }>(`select public.${name}($1) as list`, [id])).rows[0]?.list
      return [
        await call('save_resource', ids.open),
        await call('save_resource', ids.private),
        await call('save_resource', ids.open),
        await call('unsave_resource', ids.open),
        await call('unsave_resource', ids.open),
      ]
    })
    const both = [ids.open, ids.private]
    expect(lists).toEqual({ result: [[ids.open], both, both, [ids.private], [ids.private]] })
  })

  it('saving touches nobody else', async () => {
    const { rows } = await db.asOwner('test', async (tx) => {
      await tx.query("select set_config('request.jwt.claims', $1, true)", [
        JSON.stringify({ sub: ids.member }),
      ])
      await tx.query('select public.save_resource($1)', [ids.open])
      const all = await tx.query('select id, "savedResources" as saved from public.users order by id')
      await tx.query('select public.unsave_resource($1)', [ids.open])
      return all
    })
    expect(rows).toEqual([
      { id: ids.member, saved: [ids.open] },
      { id: ids.other, saved: [] },
      { id: ids.admin, saved: [] },
      { id: ids.anonymous, saved: [] },
    ])
  })

  it('two tabs that save at once both succeed', async () => {
    const tab = { role: 'authenticated', claims: { sub: ids.other } } as const
    const many = Array.from({ length: 12 }, (_, n) => ids.open.slice(0, -2) + String(50 + n))
    await Promise.all(
      many.map((id) => db.asCaller(tab, (tx) => tx.query('select public.save_resource($1)', [id]))),
    )
    const { rows } = await db.asCaller(tab, (tx) =>
      tx.query<{ saved: string[] }>('select "savedResources" as saved from public.users'),
    )
    expect(rows[0]?.saved.toSorted()).toEqual(many)
    await db.asCaller(tab, (tx) => tx.query(`update public.users set "savedResources" = '{}'`))
  })

  it('a list of saved resources has an end', async () => {
    const tooMany = `update public.users set "savedResources" = array(select gen_random_uuid() from generate_series(1, 10001)) where id = auth.uid()`
    expect(await attempt(db, 'member', (tx) => tx.query(tooMany))).toMatchObject({ error: { code: '23514' } })
  })

  it.each<[Who, category: string | null, locations: string[]]>([
    ['visitor', null, ['Berlin']],
    ['member', null, ['Berlin', 'Hidden Valley']],
    ['member', 'podcast', []],
    ['visitor', 'reading', ['Berlin']],
  ])('%s is offered the locations of what they may see (category %s)', async (who, category, locations) => {
    const asked = await attempt(db, who, (tx) =>
      tx.query<{ location: string }>('select public.resource_locations($1) as location', [category]),
    )
    expect(asked).toMatchObject({ result: { rows: locations.map((location) => ({ location })) } })
  })
})
