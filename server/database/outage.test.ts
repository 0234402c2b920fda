import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type PostgresServer, startPostgres } from '#tests/support/postgres-server.ts'
import { openDatabase } from './open.ts'
import { type Database, DatabaseUnavailable, SqlError, type Transaction } from './port.ts'

const log = pino({ level: 'silent' })
const ask = (tx: Transaction) => tx.query('select 1')

let server: PostgresServer
let db: Database
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())
beforeEach(async () => {
  db = await openDatabase({ kind: 'postgres', url: server.url() }, log)
})
afterEach(() => db.close())

describe.each(['fast', 'immediate'] as const)('when PostgreSQL goes away (%s stop)', (how) => {
  it('says so, also in the middle of a transaction, and works again once the server is back', async () => {
    await Promise.all(Array.from({ length: 8 }, () => db.asOwner('fill the pool', ask)))
    const interrupted = db.asOwner('test', async (tx) => {
      await server.stop(how)
      await ask(tx)
    })
    await expect(interrupted).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(db.asOwner('test', ask)).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(db.listen('news', vi.fn(), vi.fn())).rejects.toBeInstanceOf(DatabaseUnavailable)

    await server.start()
    const answers = await Promise.all(Array.from({ length: 8 }, () => db.asOwner('test', ask)))
    expect(answers).toHaveLength(8)
  })

  it('listens again when it is back, and tells that it may have missed something', async () => {
    const heard: string[] = []
    const onGap = vi.fn()
    const stop = await db.listen('news', (payload) => heard.push(payload), onGap)
    await server.stop(how)
    expect(onGap).not.toHaveBeenCalled()
    await server.start()
    await vi.waitFor(() => expect(onGap).toHaveBeenCalledOnce(), { timeout: 10_000 })
    await db.asOwner('test', (tx) => tx.query("select pg_notify('news', 'still here')"))
    await vi.waitFor(() => expect(heard).toEqual(['still here']))
    await stop()
  })

  it('can stop listening while the server is away', async () => {
    const onGap = vi.fn()
    const stop = await db.listen('news', vi.fn(), onGap)
    await server.stop(how)
    await stop()
    await server.start()
    await db.asOwner('test', ask)
    expect(onGap).not.toHaveBeenCalled()
  })
})

describe('a connection that PostgreSQL cuts', () => {
  const cutOthers = (tx: Transaction) =>
    tx.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null',
    )

  it('while idle is replaced without anybody noticing', async () => {
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 8 }, () => db.asOwner('fill the pool', ask)))
      await db.asOwner('test', cutOthers)
      await Promise.all(Array.from({ length: 8 }, () => db.asOwner('test', ask)))
    }
  })

  it('in use fails that transaction only', async () => {
    const cut = db.asOwner('victim', async (tx) => {
      await ask(tx)
      await db.asOwner('test', cutOthers)
      await ask(tx)
    })
    await expect(cut).rejects.toBeInstanceOf(DatabaseUnavailable)
    await db.asOwner('test', ask)
  })

  it('is no outage when only a statement is cancelled', async () => {
    const slow = db.asOwner('test', async (tx) => {
      await tx.query("set local statement_timeout = '50ms'")
      await tx.query('select pg_sleep(5)')
    })
    await expect(slow).rejects.toBeInstanceOf(SqlError)
    await expect(slow).rejects.toMatchObject({ code: '57014' })
  })
})
