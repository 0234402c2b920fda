import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { attempt, cases, ids, type Line, openWorld, outcomeOf, type Who } from './world.ts'

const change = (whose: string, assignment: string) =>
  `update public.users set ${assignment} where id = '${whose}'`
const mine = 'select email, name from public.users'
const add = (columns: string, values: string) => `insert into public.users (${columns}) values (${values})`

const operations: Record<string, string> = {
  "read the anonymous session's profile": `select * from public.users where id = '${ids.anonymous}'`,
  "rename the anonymous session's profile": change(ids.anonymous, "name = 'x'"),
  'add the profile of the anonymous session': add('id, name', `'${ids.anonymous}', 'Me'`),

  "read the member's profile": `select * from public.users where id = '${ids.member}'`,
  "read the admin's profile": `select * from public.users where id = '${ids.admin}'`,
  "rename the member's profile": change(ids.member, "name = 'x'"),
  "change the member's avatar": change(ids.member, "avatar = 'https://example.org/a.png'"),
  "change the member's saved list": change(ids.member, `"savedResources" = '{${ids.open}}'`),
  "change the member's role": change(ids.member, "role = 'admin'"),
  "change the member's name and role at once": change(ids.member, "name = 'x', role = 'admin'"),
  "change the member's id": change(ids.member, `id = '${ids.nobody}'`),
  "change the member's address": change(ids.member, "email = 'x@example.org'"),
  "change when the member's profile was made": change(ids.member, 'created_at = now()'),
  "rename the admin's profile": change(ids.admin, "name = 'x'"),
  'rename everybody': "update public.users set name = 'x' where id <> auth.uid()",
  'add the profile of the member again': add(
    'id, email, name',
    `'${ids.member}', 'member@example.org', 'Me'`,
  ),
  'add the profile of the member as an admin': add(
    'id, email, role',
    `'${ids.member}', 'member@example.org', 'admin'`,
  ),
  'add a profile for nobody': add('id, email', `'${ids.nobody}', 'x@example.org'`),
  "raise the member's role by upsert": `${add('id, email', `'${ids.member}', 'x'`)} on conflict (id) do update set role = 'admin'`,
  "remove the member's profile": `delete from public.users where id = '${ids.member}'`,
}

const columns: Who[] = ['visitor', 'member', 'other', 'admin', 'service']
const table: Line[] = [
  ["read the member's profile", 'refused', 'allowed', 'hidden', 'allowed', 'allowed'],
  ["read the admin's profile", 'refused', 'hidden', 'hidden', 'allowed', 'allowed'],
  ["rename the member's profile", 'refused', 'allowed', 'hidden', 'hidden', 'allowed'],
  ["change the member's avatar", 'refused', 'allowed', 'hidden', 'hidden', 'allowed'],
  ["change the member's saved list", 'refused', 'allowed', 'hidden', 'hidden', 'allowed'],
  ["change the member's role", 'refused', 'refused', 'refused', 'refused', 'allowed'],
  ["change the member's name and role at once", 'refused', 'refused', 'refused', 'refused', 'allowed'],
  ["change the member's address", 'refused', 'refused', 'refused', 'refused', 'allowed'],
  ["change when the member's profile was made", 'refused', 'refused', 'refused', 'refused', 'allowed'],
  ["rename the admin's profile", 'refused', 'hidden', 'hidden', 'allowed', 'allowed'],
  ["remove the member's profile", 'refused', 'refused', 'refused', 'refused', 'allowed'],
]

/** Without the service role, which meets the constraints of the table here; that is not a matter of permission. */
const apiColumns: Who[] = ['visitor', 'member', 'other', 'admin']
const apiTable: Line[] = [
  ["change the member's id", 'refused', 'refused', 'refused', 'refused'],
  ['rename everybody', 'refused', 'hidden', 'hidden', 'hidden'],
  ['add the profile of the member again', 'refused', 'hidden', 'refused', 'refused'],
  ['add the profile of the member as an admin', 'refused', 'refused', 'refused', 'refused'],
  ['add a profile for nobody', 'refused', 'refused', 'refused', 'refused'],
  ["raise the member's role by upsert", 'refused', 'refused', 'refused', 'refused'],
]

const anonymousTable: Line[] = [
  ["read the anonymous session's profile", 'hidden', 'hidden', 'allowed'],
  ["rename the anonymous session's profile", 'hidden', 'hidden', 'hidden'],
  ['add the profile of the anonymous session', 'hidden', 'refused', 'refused'],
  ["read the member's profile", 'hidden', 'allowed', 'allowed'],
]

describe('profiles', () => {
  let db: Database
  beforeAll(async () => {
    db = await openWorld(openTestDatabase)
  })
  afterAll(() => db.close())

  it.each([
    ...cases(columns, table),
    ...cases(apiColumns, apiTable),
    ...cases(['anonymous', 'member', 'admin'], anonymousTable),
  ])('%s may %s: %s', async (who, operation, outcome) => {
    expect(await outcomeOf(db, who, String(operations[operation]))).toBe(outcome)
  })

  it('are made with the account, named after the address, as plain members', async () => {
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query('select name, email, avatar, role, "savedResources" from public.users where id = $1', [
        ids.member,
      ]),
    )
    expect(rows).toEqual([
      { name: 'member', email: 'member@example.org', avatar: null, role: 'member', savedResources: [] },
    ])
  })

  it.each([null, `${'long'.repeat(80)}@example.org`])(
    'are made for an account with the address %s',
    async (email) => {
      const made = await db.asOwner('test', async (tx) => {
        await tx.query('insert into auth.users (id, email) values ($1, $2)', [ids.nobody, email])
        const { rows } = await tx.query('select email from public.users where id = $1', [ids.nobody])
        await tx.query('delete from auth.users where id = $1', [ids.nobody])
        return rows
      })
      expect(made).toEqual([{ email }])
    },
  )

  it('follow the address of the account, and go with it', async () => {
    await db.asOwner('test', async (tx) => {
      const emails = () => tx.query('select email from public.users where id = $1', [ids.nobody])
      await tx.query("insert into auth.users (id, email) values ($1, 'old@example.org')", [ids.nobody])
      await tx.query("update auth.users set email = 'new@example.org' where id = $1", [ids.nobody])
      expect((await emails()).rows).toEqual([{ email: 'new@example.org' }])
      await tx.query('delete from auth.users where id = $1', [ids.nobody])
      expect((await emails()).rows).toEqual([])
    })
  })

  it('keep what is in them when they are added again', async () => {
    const again = add('id, email, name', `'${ids.member}', 'someone.else@example.org', 'Me'`)
    const kept = await attempt(db, 'member', (tx) => tx.query(again).then(() => tx.query(mine)))
    expect(kept).toMatchObject({ result: { rows: [{ email: 'member@example.org', name: 'member' }] } })
  })

  it('take the address of the account when they were lost and are added again', async () => {
    await db.asOwner('test', async (tx) => {
      await tx.query("insert into auth.users (id, email) values ($1, 'lost@example.org')", [ids.nobody])
      await tx.query('delete from public.users where id = $1', [ids.nobody])
    })
    const again = add('id, email, name', `'${ids.nobody}', 'admin@example.org', 'Me'`)
    const owner: Caller = { role: 'authenticated', claims: { sub: ids.nobody } }
    const made = await attempt(db, owner, (tx) => tx.query(again).then(() => tx.query(mine)))
    expect(made).toMatchObject({ result: { rows: [{ email: 'lost@example.org', name: 'Me' }] } })
    await db.asOwner('test', (tx) => tx.query('delete from auth.users where id = $1', [ids.nobody]))
  })
})
