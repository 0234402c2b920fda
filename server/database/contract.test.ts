import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, serviceRole, visitor } from '#server/tokens/caller.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { type Database, DatabaseUnavailable, SqlError, type Transaction } from './port.ts'

const member: Caller = {
  role: 'authenticated',
  claims: { role: 'authenticated', sub: '00000000-0000-4000-8000-000000000001', name: 'Zoë "Z" O\'Neil' },
}

/** What a later transaction could still see of an earlier one. */
const LEFTOVERS = `select current_user as role, current_setting('request.jwt.claims', true) as claims,
  current_setting('request.method', true) as method, current_setting('transaction_read_only') as read_only,
  current_setting('statement_timeout') as timeout`

const failing = (tx: Transaction) => tx.query('select 1 / 0')

/** Runs the work and gives the error it ends with. */
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable('the work should fail'),
    (error: unknown) => error,
  )

describe('the database port', () => {
  let db: Database

  beforeAll(async () => {
    db = await openTestDatabase()
    await db.asOwner('test', (tx) =>
      tx.script(
        'create table public.notes (id int primary key, body text); grant all on public.notes to anon',
      ),
    )
  })
  afterAll(() => db.close())

  const one = async <Row>(text: string, values: Parameters<Transaction['query']>[1] = []) =>
    (await db.asOwner('test', (tx) => tx.query<Row>(text, values))).rows[0]

  describe('a caller', () => {
    it.each([visitor, member, serviceRole])(
      'works under the role $role with the claims given',
      async (caller) => {
        const { rows } = await db.asCaller(caller, (tx) =>
          tx.query(
            "select current_user as role, current_setting('request.jwt.claims')::json as claims, auth.uid() as id",
          ),
        )
        expect(rows).toEqual([{ role: caller.role, claims: caller.claims, id: caller.claims.sub ?? null }])
      },
    )

    it('finds the settings of the request, and cannot stretch a statement for ever', async () => {
      const settings = { 'request.method': 'GET', 'request.headers': '{"x-name":"ünï"}' }
      const { rows } = await db.asCaller(
        visitor,
        (tx) =>
          tx.query(`select current_setting('request.method') as method, current_setting('statement_timeout') as timeout,
            current_setting('request.headers')::json ->> 'x-name' as name`),
        { settings },
      )
      expect(rows).toEqual([{ method: 'GET', timeout: '3s', name: 'ünï' }])
    })

    it.each(['role', 'session_authorization', 'statement_timeout'])(
      'cannot be given %s as a setting of the request',
      async (name) => {
        const error = await errorOf(db.asCaller(visitor, failing, { settings: { [name]: 'postgres' } }))
        expect(error).toBeInstanceOf(TypeError)
      },
    )

    it('keeps identity above settings of the same name', async () => {
      const { rows } = await db.asCaller(visitor, (tx) => tx.query('select auth.jwt() as claims'), {
        settings: { 'request.jwt.claims': '{"sub":"somebody else"}' },
      })
      expect(rows).toEqual([{ claims: { role: 'anon' } }])
    })

    it('is refused when it writes in a read-only transaction', async () => {
      const write = (tx: Transaction) => tx.query('insert into public.notes values (1)')
      expect(await errorOf(db.asCaller(visitor, write, { readOnly: true }))).toMatchObject({ code: '25006' })
      const loosen = (tx: Transaction) =>
        tx.query('select 1').then(() => tx.query('set transaction read write'))
      expect(await errorOf(db.asCaller(visitor, loosen, { readOnly: true }))).toMatchObject({ code: '25001' })
    })
  })

  describe('after a transaction', () => {
    const next = () => one<{ role: string }>(LEFTOVERS)
    const options = { readOnly: true, settings: { 'request.method': 'GET' } }
    const empty = expect.toBeOneOf([null, ''])
    let owner: string | undefined

    beforeAll(async () => {
      owner = (await next())?.role
      expect(['anon', 'authenticated', 'service_role', undefined]).not.toContain(owner)
    })
    const clean = () => ({ role: owner, claims: empty, method: empty, read_only: 'off', timeout: '30s' })

    it('nothing of a caller is left, on whichever connection comes next', async () => {
      // More at once than the pool holds, so that every connection has served a caller.
      await Promise.all(
        Array.from({ length: 25 }, () => db.asCaller(member, (tx) => tx.query('select 1'), options)),
      )
      for (const left of await Promise.all(Array.from({ length: 25 }, next))) expect(left).toEqual(clean())
    })

    it.each<[string, (tx: Transaction) => Promise<unknown>]>([
      ['a statement', failing],
      ['its own work', () => Promise.reject(new Error('our own'))],
      ['its commit', (tx) => failing(tx).catch(() => 'swallowed')],
    ])('nothing is left when %s failed', async (_what, work) => {
      await errorOf(db.asCaller(member, work, options))
      expect(await next()).toEqual(clean())
    })

    it('its handle is dead, so that nothing forgotten runs in the name of somebody else', async () => {
      const forgotten = new Promise<unknown>((resolve) => {
        void db.asCaller(member, async (tx) => {
          // Comes while the commit is under way.
          setImmediate(() => resolve(errorOf(tx.query('select 1'))))
        })
      })
      expect(await forgotten).toMatchObject({ message: 'Transaction is closed' })
    })
  })

  describe('a transaction', () => {
    const count = async () => (await one<{ count: number }>('select count(*) from public.notes'))?.count

    it('commits when its work resolves, and gives its result', async () => {
      const work = (tx: Transaction) =>
        tx.query('insert into public.notes values (10), (11)').then((r) => r.affected)
      expect(await db.asOwner('test', work)).toBe(2)
      expect(await count()).toBe(2)
    })

    it('rolls back when its work rejects, and passes the very error on', async () => {
      const own = new Error('our own')
      const work = (tx: Transaction) => tx.query('delete from public.notes').then(() => Promise.reject(own))
      expect(await errorOf(db.asOwner('test', work))).toBe(own)
      expect(await count()).toBe(2)
    })

    it('tells work that swallowed an error that nothing was committed', async () => {
      const work = (tx: Transaction) =>
        tx.query('delete from public.notes').then(() => failing(tx).catch(() => 'swallowed'))
      expect(await errorOf(db.asOwner('test', work))).toMatchObject({ name: 'SqlError', code: '25P02' })
      expect(await count()).toBe(2)
    })

    it('fails with the error of a constraint that is checked at its end', async () => {
      await db.asOwner('test', (tx) =>
        tx.script('create table public.late (id int unique deferrable initially deferred)'),
      )
      const work = (tx: Transaction) => tx.query('insert into public.late values (1), (1)')
      expect(await errorOf(db.asOwner('test', work))).toMatchObject({ name: 'SqlError', code: '23505' })
      expect(await one('select 1 as fine')).toEqual({ fine: 1 })
    })

    it('does not mix with others at the same time', async () => {
      const callers = Array.from({ length: 40 }, (_, n): Caller => ({ role: 'authenticated', claims: { n } }))
      const seen = await Promise.all(
        callers.map((caller) =>
          db.asCaller(caller, async (tx) => {
            await tx.query('select 1')
            return (await tx.query<{ n: number }>("select (auth.jwt() ->> 'n')::int as n")).rows[0]?.n
          }),
        ),
      )
      expect(seen).toEqual(callers.map(({ claims }) => claims.n))
    })

    it('runs a script of several statements, whole or not at all', async () => {
      const script = (tx: Transaction) =>
        tx.script("insert into public.notes values (20, 'a;b'); -- a comment; with a semicolon\nselect 1 / 0")
      expect(await errorOf(db.asOwner('test', script))).toMatchObject({ code: '22012' })
      expect(await count()).toBe(2)
    })

    it('gives the rows of all statements of one text', async () => {
      const { rows, affected } = await db.asOwner('test', (tx) => tx.query('select 1 as n; select 2 as n'))
      expect([rows, affected]).toEqual([[{ n: 1 }, { n: 2 }], 2])
    })

    it('counts the rows that a statement changed or returned', async () => {
      const affected = (text: string) => db.asOwner('test', (tx) => tx.query(text).then((r) => r.affected))
      expect(await affected("update public.notes set body = 'x'")).toBe(2)
      expect(await affected('update public.notes set body = null where false')).toBe(0)
      expect(await affected('select * from generate_series(1, 7)')).toBe(7)
      expect(await affected('update public.notes set body = id::text returning id')).toBe(2)
      expect(await affected('create table public.empty ()')).toBe(0)
    })
  })

  it('can be closed twice, and is unavailable from then on', async () => {
    const closed = await openTestDatabase()
    await closed.close()
    await closed.close()
    expect(await errorOf(closed.asOwner('test', failing))).toBeInstanceOf(DatabaseUnavailable)
  })

  describe('an error of the database', () => {
    it('has the same shape everywhere', async () => {
      await db.asOwner('test', (tx) =>
        tx.script("create table public.taken (name text primary key); insert into public.taken values ('a')"),
      )
      const error = await errorOf(one('insert into public.taken values ($1)', ['a']))
      expect(error).toBeInstanceOf(SqlError)
      expect({ ...(error as SqlError), message: (error as SqlError).message }).toEqual({
        name: 'SqlError',
        code: '23505',
        message: 'duplicate key value violates unique constraint "taken_pkey"',
        detail: 'Key (name)=(a) already exists.',
        hint: undefined,
        constraint: 'taken_pkey',
      })
    })

    it('carries the detail and hint that a function raises', async () => {
      const raise =
        "do $$ begin raise exception 'no' using errcode = 'PT418', detail = 'd', hint = 'h'; end $$"
      expect(await errorOf(one(raise))).toMatchObject({
        code: 'PT418',
        message: 'no',
        detail: 'd',
        hint: 'h',
      })
    })

    it('never holds the statement or its parameters, which may be secret', async () => {
      const error = await errorOf(one('select $1::int', ['hunter2-is-no-number']))
      expect(JSON.stringify({ ...(error as object), cause: (error as Error).cause })).not.toContain('hunter2')
      expect(error).not.toHaveProperty('query')
    })
  })
})
