import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { attempt, ids, openWorld, type Who } from './world.ts'

describe('what is private stays unknown', () => {
  let db: Database
  beforeAll(async () => {
    db = await openWorld(openTestDatabase)
    await db.asOwner('test', (tx) => tx.script('analyze public.resources, public.users'))
  })
  afterAll(() => db.close())

  const ask = async (who: Who, sql: string) => {
    const answer = await attempt(db, who, (tx) => tx.query(sql))
    return 'error' in answer
      ? { refused: answer.error.code, message: answer.error.message }
      : answer.result.rows
  }

  it.each<[how: string, sql: string, answer: unknown]>([
    ['by counting', 'select count(*) as n from public.resources', [{ n: 1 }]],
    [
      'by the order of rows',
      'select title from public.resources order by title desc limit 1',
      [{ title: 'Open' }],
    ],
    ['by skipping rows', 'select title from public.resources order by title offset 1', []],
    ['by a filter', "select 1 from public.resources where title like 'Sec%'", []],
    ['by an inverted filter', 'select title from public.resources where not public', []],
    ['by its id', `select 1 from public.resources where id = '${ids.private}'`, []],
    [
      'by an aggregate',
      'select max(title) as top, bool_and(public) as open from public.resources',
      [{ top: 'Open', open: true }],
    ],
    [
      'by grouping',
      'select location, count(*) as n from public.resources group by location',
      [{ location: 'Berlin', n: 1 }],
    ],
    [
      'by the statistics of the planner',
      "select * from pg_stats where tablename in ('resources', 'users')",
      [],
    ],
    [
      'by a lock',
      'select 1 from public.resources for update',
      { refused: '42501', message: 'permission denied for table resources' },
    ],
    ['by a function', 'select public.resource_locations() as place', [{ place: 'Berlin' }]],
    [
      'by the saved lists',
      'select "savedResources" from public.users',
      { refused: '42501', message: 'permission denied for table users' },
    ],
  ])('a visitor learns nothing of a private row %s', async (_how, sql, answer) => {
    expect(await ask('visitor', sql)).toEqual(answer)
  })

  it('a filter that complains of what it sees is never shown a private row', async () => {
    const spy = await attempt(db, 'visitor', async (tx) => {
      await tx.script(`create function pg_temp.spy(title text) returns boolean language plpgsql cost 0.0001 as
        $$ begin if title = 'Secret' then raise exception 'seen: %', title; end if; return true; end $$`)
      return (await tx.query('select title from public.resources where pg_temp.spy(title)')).rows
    })
    expect(spy).toEqual({ result: [{ title: 'Open' }] })
  })

  it.each<[Who, table: string, columns: string, known: string, unknown: string]>([
    [
      'visitor',
      'resources',
      'id, title, description, category',
      `'${ids.private}', 't', 'd', 'reading'`,
      `'${ids.fresh}', 't', 'd', 'reading'`,
    ],
    [
      'member',
      'resources',
      'id, title, description, category',
      `'${ids.private}', 't', 'd', 'reading'`,
      `'${ids.fresh}', 't', 'd', 'reading'`,
    ],
    ['member', 'users', 'id, email', `'${ids.other}', 'x'`, `'${ids.fresh}', 'x'`],
  ])(
    '%s cannot tell from the error whether a row of %s exists',
    async (who, table, columns, known, unknown) => {
      for (const onConflict of [
        '',
        'on conflict (id) do nothing',
        `on conflict (id) do update set ${table === 'users' ? 'name' : 'title'} = 'x'`,
      ]) {
        const add = (values: string) =>
          ask(who, `insert into public.${table} (${columns}) values (${values}) ${onConflict}`)
        const refusal = await add(known)
        expect(refusal).toMatchObject({ refused: '42501' })
        expect(await add(unknown)).toEqual(refusal)
      }
    },
  )

  it('a member cannot tell from saving whether a resource exists', async () => {
    const save = (id: string) =>
      ask('member', `select public.save_resource('${id}') = array['${id}'::uuid] as saved`)
    expect(await save(ids.nobody)).toEqual([{ saved: true }])
    expect(await save(ids.private)).toEqual([{ saved: true }])
  })

  it.each([
    ['count the profiles', 'select count(*) as n from public.users', [{ n: 1 }]],
    ['find an address', "select 1 from public.users where email = 'other@example.org'", []],
    ['find the admins', "select 1 from public.users where role = 'admin'", []],
    [
      'rename by address',
      "update public.users set name = 'x' where email = 'other@example.org' returning email",
      [],
    ],
  ])('a member cannot %s of others', async (_what, sql, answer) => {
    expect(await ask('member', sql)).toEqual(answer)
  })
})
