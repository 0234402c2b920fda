import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { visitor } from '#server/tokens/caller.ts'
import { databaseUrl, onServer } from '#tests/support/databases.ts'
import { type Network, openNetwork } from '#tests/support/network.ts'
import { openDatabase } from './open.ts'
import { type Database, DatabaseUnavailable, type Transaction } from './port.ts'

/** What a page may take to come from memory instead. */
const PATIENCE_MS = 10_000
const ask = (tx: Transaction) => tx.query('select 1 as one')

let network: Network
let db: Database
// Not the template itself: nobody could be given a copy of it meanwhile.
beforeAll(() => onServer('create database silence template migrated'))
afterAll(() => onServer('drop database silence with (force)'))
beforeEach(async () => {
  network = await openNetwork(databaseUrl('silence'))
  db = await openDatabase({ kind: 'postgres', url: network.url }, pino({ level: 'silent' }))
  return async () => {
    await db.close()
    await network.close()
  }
})

/** How many questions sleep, or have slept, as the server sees it. */
async function sleepers(): Promise<number> {
  const sql =
    "select from pg_stat_activity where datname = 'silence' and query like '%pg_sleep(0.2)%' and pid <> pg_backend_pid()"
  let count = 0
  await onServer(async (client) => {
    count = (await client.query(sql)).rowCount ?? 0
  })
  return count
}

/** What a visitor's question came to, and after how long. */
const asVisitor = async (work = ask) => {
  const started = performance.now()
  const failure = await db.asCaller(visitor, work, { readOnly: true }).then(
    () => undefined,
    (error: unknown) => error,
  )
  return { failure, ms: performance.now() - started }
}

describe('a network that swallows everything', () => {
  it('is noticed on connections that lay idle, and on the next questions at once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => asVisitor()))
    network.swallow()
    const first = await asVisitor()
    expect(first.failure).toBeInstanceOf(DatabaseUnavailable)
    expect(first.ms).toBeLessThan(PATIENCE_MS)
    for (const next of await Promise.all(Array.from({ length: 30 }, () => asVisitor()))) {
      expect(next.failure).toBeInstanceOf(DatabaseUnavailable)
      expect(next.ms).toBeLessThan(1_000)
    }

    network.restore()
    await vi.waitFor(async () => expect((await asVisitor()).failure).toBeUndefined(), {
      timeout: PATIENCE_MS,
      interval: 100,
    })
  })

  it('is noticed in the middle of a transaction', async () => {
    const cut = await asVisitor(async (tx) => {
      await ask(tx)
      network.swallow()
      return ask(tx)
    })
    expect(cut.failure).toBeInstanceOf(DatabaseUnavailable)
    expect(cut.ms).toBeLessThan(PATIENCE_MS)
  })

  it('is noticed when there is no connection yet', async () => {
    network.swallow()
    const { failure, ms } = await asVisitor()
    expect(failure).toBeInstanceOf(DatabaseUnavailable)
    expect(ms).toBeLessThan(PATIENCE_MS)
  })

  it('does not keep the service from closing', async () => {
    await Promise.all(Array.from({ length: 3 }, () => asVisitor()))
    network.swallow()
    const asked = asVisitor()
    await pause(50)
    await db.close()
    expect((await asked).failure).toBeInstanceOf(DatabaseUnavailable)
  })
})

describe('a slow answer', () => {
  it('is no silence while it keeps to its limit', async () => {
    const slow = await asVisitor((tx) => tx.query('select pg_sleep(2.8)'))
    expect(slow.failure).toBeUndefined()
  })

  it('is not missed by a process that was busy itself', async () => {
    await asVisitor()
    const busy = asVisitor((tx) => tx.query('select pg_sleep(0.2)'))
    // It has reached the server by then, also where much else is going on.
    await vi.waitFor(async () => expect(await sleepers()).not.toBe(0))
    const until = performance.now() + 6_000
    while (performance.now() < until);
    expect((await busy).failure).toBeUndefined()
  })
})

describe('listening', () => {
  it('over a silent network is noticed, taken up again, and told as a gap', async () => {
    const heard: string[] = []
    const onLost = vi.fn()
    const onGap = vi.fn()
    const stop = await db.listen('silence', (payload) => heard.push(payload), onGap, onLost)
    network.swallow()
    await vi.waitFor(() => expect(onLost).toHaveBeenCalled(), { timeout: PATIENCE_MS })
    expect(onGap).not.toHaveBeenCalled()
    network.restore()
    await vi.waitFor(() => expect(onGap).toHaveBeenCalledOnce(), { timeout: PATIENCE_MS })
    await vi.waitFor(async () => {
      await db.asOwner('test', (tx) => tx.query("select pg_notify('silence', 'back')"))
      expect(heard).toContain('back')
    }, PATIENCE_MS)
    await stop()
  })
})
