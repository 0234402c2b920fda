import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, visitor } from '#server/tokens/caller.ts'
import { databaseUrl, onServer } from '#tests/support/databases.ts'
import { type Network, openNetwork } from '#tests/support/network.ts'
import { openDatabase } from './open.ts'
import type { Database, Transaction } from './port.ts'

const member: Caller = { role: 'authenticated', claims: { role: 'authenticated' } }
const settings = { 'request.method': 'GET' }

let network: Network
let db: Database
beforeAll(async () => {
  await onServer('create database round_trips template migrated')
  network = await openNetwork(databaseUrl('round_trips'))
  db = await openDatabase({ kind: 'postgres', url: network.url }, pino({ level: 'silent' }))
})
afterAll(async () => {
  await db.close()
  await network.close()
  await onServer('drop database round_trips')
})
beforeEach(async () => {
  await db.asOwner('a connection that is there already', (tx) => tx.query('select 1'))
  network.roundTrips()
})

const ask = (tx: Transaction) => tx.query<{ role: string }>('select current_user as role')

describe('what goes over the wire', () => {
  it('of a single statement is one message and its answer', async () => {
    const { rows } = await db.asCaller(visitor, ask, { single: true, settings })
    expect(rows).toEqual([{ role: 'anon' }])
    expect(network.roundTrips()).toBe(1)
    expect((await db.asOwner('test', ask, { single: true })).rows).toEqual([{ role: 'postgres' }])
    expect(network.roundTrips()).toBe(1)
  })

  it('of a transaction with one statement is that and the commit', async () => {
    const { rows } = await db.asCaller(member, ask, { settings })
    expect(rows).toEqual([{ role: 'authenticated' }])
    expect(network.roundTrips()).toBe(2)
  })

  it('of statements that are asked together is one message for all but the first', async () => {
    await db.asCaller(member, async (tx) => {
      await ask(tx)
      await Promise.all(Array.from({ length: 20 }, () => ask(tx)))
    })
    expect(network.roundTrips()).toBe(3)
  })

  it('of work that asks nothing is nothing', async () => {
    expect(await db.asCaller(visitor, async () => 'done')).toBe('done')
    expect(network.roundTrips()).toBe(0)
  })
})

describe('a single statement', () => {
  it('cannot write, whoever asks, and leaves nothing behind', async () => {
    const write = (tx: Transaction) => tx.query('create table public.never (id int)')
    await expect(db.asOwner('test', write, { single: true })).rejects.toMatchObject({ code: '25006' })
    await expect(db.asCaller(visitor, write, { single: true })).rejects.toMatchObject({ code: '25006' })
    expect((await db.asOwner('test', ask)).rows).toEqual([{ role: 'postgres' }])
  })

  it('is alone: a second one is refused before it reaches the database', async () => {
    const twice = db.asCaller(
      visitor,
      async (tx) => {
        await ask(tx)
        await ask(tx)
      },
      { single: true },
    )
    await expect(twice).rejects.toThrow('A single statement was announced')
  })

  it('that fails says why, and the next one works', async () => {
    for (let round = 0; round < 12; round++) {
      const failing = db.asCaller(visitor, (tx) => tx.query('select 1 / 0'), { single: true })
      await expect(failing).rejects.toMatchObject({ code: '22012' })
    }
    expect((await db.asCaller(visitor, ask, { single: true })).rows).toEqual([{ role: 'anon' }])
  })
})

describe('limits', () => {
  const limits = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle`
  it.each([
    ['anon', '3s', '1800ms', '18s'],
    ['authenticated', '8s', '4800ms', '23s'],
    ['service_role', '8s', '4800ms', '23s'],
  ] as const)('of %s travel with the settings', async (role, statement, lock, idle) => {
    const { rows } = await db.asCaller({ role, claims: {} }, (tx) => tx.query(limits), { single: true })
    expect(rows).toEqual([{ statement, lock, idle }])
    expect(network.roundTrips()).toBe(1)
  })

  it('do not bind work that may take as long as it takes', async () => {
    const { rows } = await db.asOwner('test', (tx) => tx.query(limits), { unlimited: true })
    expect(rows).toEqual([{ statement: '0', lock: '0', idle: '0' }])
  })

  it('end a statement of a visitor with the SQLSTATE of hosted Supabase', async () => {
    const slow = db.asCaller(visitor, (tx) => tx.query('select pg_sleep(20)'))
    await expect(slow).rejects.toMatchObject({
      code: '57014',
      message: 'canceling statement due to statement timeout',
    })
  })
})

describe('a statement that is asked again and again', () => {
  const named = 'select count(*)::int as n from pg_prepared_statements where statement like $1'

  it('is prepared once on each connection, by its second asking', async () => {
    const text = "select 'asked again', $1::int as n"
    for (let n = 0; n < 5; n++) {
      const { rows } = await db.asCaller(visitor, (tx) => tx.query(text, [n], { repeated: true }))
      expect(rows[0]).toMatchObject({ n })
    }
    expect((await db.asOwner('test', (tx) => tx.query(named, ['%asked again%']))).rows).toEqual([{ n: 1 }])
  })

  it('is sent in full when a table was altered below it', async () => {
    const star = 'select * from public.altered'
    const asked = () => db.asOwner('test', (tx) => tx.query(star, [], { repeated: true }))
    await db.asOwner('test', (tx) => tx.script('create table if not exists public.altered (a int)'))
    try {
      for (let round = 0; round < 3; round++) await asked()
      await db.asOwner('test', (tx) =>
        tx.script('alter table public.altered add column b int; insert into public.altered values (1, 2)'),
      )
      expect((await asked()).rows).toEqual([{ a: 1, b: 2 }])
      expect((await asked()).rows).toEqual([{ a: 1, b: 2 }])
    } finally {
      await db.asOwner('test', (tx) => tx.script('drop table public.altered'))
    }
  })

  it('makes no connection keep more than its share', async () => {
    for (let n = 0; n < 300; n++) {
      const ask = (tx: Transaction) => tx.query(`select ${n} as kept_text`, [], { repeated: true })
      await db.asCaller(visitor, ask, { single: true })
      await db.asCaller(visitor, ask, { single: true })
    }
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query<{ n: number }>('select count(*)::int as n from pg_prepared_statements'),
    )
    expect(rows[0]?.n).toBeLessThanOrEqual(65)
  })

  it('goes on without names when what was prepared is gone', async () => {
    const text = "select 'deallocated' as what"
    const asked = () => db.asOwner('test', (tx) => tx.query(text, [], { repeated: true }))
    await asked()
    await asked()
    await db.asOwner('test', (tx) => tx.script('deallocate all'))
    expect((await asked()).rows).toEqual([{ what: 'deallocated' }])
  })
})
