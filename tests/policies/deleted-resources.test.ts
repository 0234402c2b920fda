import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Transaction } from '#server/database/port.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { attempt, cases, ids, type Line, openWorld, outcomeOf, type Who } from './world.ts'

const deletion = `delete from public.resources where id = '${ids.open}'`
const restore = (id: string) => `select public.restore_resource('${id}')`

const operations: Record<string, string> = {
  'see what is deleted': 'select title from public.deleted_resources',
  'let the files go with it': 'update public.deleted_resources set frees_media = true',
  'change what is deleted': "update public.deleted_resources set resource = '{}'",
  'say that something is deleted': `insert into public.deleted_resources (id, resource) values ('${ids.fresh}', '{}')`,
  'delete it for good': 'delete from public.deleted_resources',
  'see who had it': 'select * from private.deleted_resource_savers',
  'restore it': restore(ids.private),
}

const columns: Who[] = ['visitor', 'member', 'admin', 'service']
const table: Line[] = [
  ['see what is deleted', 'refused', 'hidden', 'allowed', 'allowed'],
  ['let the files go with it', 'refused', 'hidden', 'allowed', 'allowed'],
  ['change what is deleted', 'refused', 'refused', 'refused', 'allowed'],
  ['say that something is deleted', 'refused', 'refused', 'refused', 'allowed'],
  ['delete it for good', 'refused', 'hidden', 'allowed', 'allowed'],
  ['see who had it', 'refused', 'refused', 'refused', 'refused'],
  ['restore it', 'refused', 'refused', 'allowed', 'refused'],
]

describe('deleted resources', () => {
  let db: Database
  beforeAll(async () => {
    db = await openWorld(openTestDatabase)
    await db.asOwner('test', (tx) =>
      tx.script(`delete from public.resources where id = '${ids.private}';
        update public.users set "savedResources" = array['${ids.nobody}', '${ids.open}', '${ids.fresh}']::uuid[]
          where id = '${ids.member}';
        update public.users set "savedResources" = array['${ids.open}']::uuid[] where id = '${ids.other}'`),
    )
  })
  afterAll(() => db.close())

  const asOwner = (sql: string) => db.asOwner('test', (tx) => tx.query(sql))
  /** Lets the admin do things, and then looks as the owner; all of it is undone. */
  const afterAdmin = (statements: string[], question: string) =>
    attempt(db, 'admin', async (tx) => {
      for (const statement of statements) await tx.query(statement)
      await tx.script('reset role')
      return (await tx.query(question)).rows
    })
  const lists =
    'select "savedResources" as saved from public.users where "savedResources" <> \'{}\' order by id'

  it.each(cases(columns, table))('%s may %s: %s', async (who, operation, outcome) => {
    expect(await outcomeOf(db, who, String(operations[operation]))).toBe(outcome)
  })

  it('are off everybody’s list at once', async () => {
    expect(await afterAdmin([deletion], lists)).toEqual({ result: [{ saved: [ids.nobody, ids.fresh] }] })
  })

  it('come back exactly as they were, on the same places of the same lists', async () => {
    const everyColumn = `update public.resources set image_url = '/a.png', image_alt = 'A', link = 'l', grade = 'K-3',
      gender = 'all', public = false, article_content = 'QQ==', "audioUrl" = '/a.mp3', "lastPlayedPosition" = 1.5,
      duration = 30, featured = true, date = '2020-02-29', created_at = '2020-01-01' where id = '${ids.open}'`
    const rows = await attempt(db, 'admin', async (tx) => {
      const read = () => tx.query('select to_jsonb(r) as row from public.resources r')
      await tx.query(everyColumn)
      const before = await read()
      await tx.query(deletion)
      await tx.query(restore(ids.open))
      return [before.rows, (await read()).rows]
    })
    if ('error' in rows) throw rows.error
    expect(rows.result[1]).toEqual(rows.result[0])
    expect(JSON.stringify(rows.result[0])).not.toContain('null')
    expect(await afterAdmin([deletion, restore(ids.open)], lists)).toEqual({
      result: [{ saved: [ids.nobody, ids.open, ids.fresh] }, { saved: [ids.open] }],
    })
  })

  it('leave alone whoever changed their list meanwhile', async () => {
    const meanwhile = [
      deletion,
      'reset role',
      `update public.users set "savedResources" = '{}' where id = '${ids.member}'`,
      `update public.users set "savedResources" = array['${ids.fresh}', '${ids.open}']::uuid[] where id = '${ids.other}'`,
      restore(ids.open),
    ]
    expect(await afterAdmin(meanwhile, lists)).toEqual({
      result: [{ saved: [ids.open] }, { saved: [ids.fresh, ids.open] }],
    })
  })

  it('several go at once, and each can come back', async () => {
    const all = ['delete from public.resources', restore(ids.open)]
    expect(await afterAdmin(all, 'select id from public.resources')).toEqual({ result: [{ id: ids.open }] })
  })

  it.each<[situation: string, code: string, statements: string[]]>([
    ['there is no such', 'PT404', [restore(ids.nobody)]],
    ['it was restored already', 'PT404', [deletion, restore(ids.open), restore(ids.open)]],
    [
      'its id is in use again',
      '23505',
      [
        deletion,
        `insert into public.resources (id, title, description, category) values ('${ids.open}', 't', 'd', 'reading')`,
        restore(ids.open),
      ],
    ],
    ['its 30 days are over', 'PT404', [deletion, 'reset role', agedBy(31), restore(ids.open)]],
  ])('nothing is restored when %s (%s)', async (_situation, code, statements) => {
    expect(await afterAdmin(statements, 'select 1')).toMatchObject({ error: { code } })
  })

  it('after 30 days the next deletion removes them, except those whose files have to go first', async () => {
    const deleted = 'select id, frees_media from public.deleted_resources order by id'
    const next = [agedBy(31), deletion]
    expect(await afterAdmin(['reset role', ...next], deleted)).toEqual({
      result: [{ id: ids.open, frees_media: false }],
    })
    const freeing = 'update public.deleted_resources set frees_media = true'
    expect(await afterAdmin(['reset role', freeing, ...next], deleted)).toEqual({
      result: [
        { id: ids.open, frees_media: false },
        { id: ids.private, frees_media: true },
      ],
    })
  })

  it('remember who deleted them, until that account is deleted too', async () => {
    const by = `select deleted_by from public.deleted_resources where id = '${ids.open}'`
    expect(await afterAdmin([deletion], by)).toEqual({ result: [{ deleted_by: ids.admin }] })
    const gone = [deletion, 'reset role', `delete from auth.users where id = '${ids.admin}'`]
    expect(await afterAdmin(gone, by)).toEqual({ result: [{ deleted_by: null }] })
  })

  it('raise the content version by one, and so does a restoration', async () => {
    const version = async (tx: Transaction) =>
      Number((await tx.query('select version from public.content_version')).rows[0]?.version)
    const raised = await attempt(db, 'admin', async (tx) => {
      const versions = [await version(tx)]
      for (const statement of [deletion, restore(ids.open)]) {
        await tx.query(statement)
        versions.push(await version(tx))
      }
      return versions.map((one) => one - Number(versions[0]))
    })
    expect(raised).toEqual({ result: [0, 1, 2] })
  })

  it('two admins who restore the same one at once get it once', async () => {
    await asOwner(deletion)
    const admin = { role: 'authenticated', claims: { sub: ids.admin, role: 'authenticated' } } as const
    const both = await Promise.allSettled(
      [1, 2].map(() => db.asCaller(admin, (tx) => tx.query(restore(ids.open)))),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await asOwner(lists)).rows).toEqual([
      { saved: [ids.nobody, ids.open, ids.fresh] },
      { saved: [ids.open] },
    ])
  })
})

function agedBy(days: number): string {
  return `update public.deleted_resources set deleted_at = now() - interval '${days} days'`
}
