import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { databaseUrl, onServer, openTestDatabase } from '#tests/support/databases.ts'
import { openDatabase } from './open.ts'
import type { Database } from './port.ts'

const log = pino({ level: 'silent' })

describe('listening', () => {
  let db: Database
  beforeAll(async () => {
    db = await openTestDatabase()
  })
  afterAll(() => db.close())

  const notify = (channel: string, payload: string) =>
    db.asOwner('test', (tx) => tx.query('select pg_notify($1, $2)', [channel, payload]))

  /** Listens to a channel and keeps what it hears. */
  const hear = async (channel: string) => {
    const heard: string[] = []
    const onGap = vi.fn()
    const stop = await db.listen(channel, (payload) => heard.push(payload), onGap)
    return { heard, stop, onGap }
  }

  it('hears a notification when its transaction commits, and not before', async () => {
    const { heard, stop, onGap } = await hear('news')
    let heardBefore: string[] | undefined
    await db.asOwner('test', async (tx) => {
      await tx.query("select pg_notify('news', 'first')")
      await tx.query("select pg_notify('news', 'zweite ü')")
      await new Promise((resolve) => setTimeout(resolve, 50))
      heardBefore = [...heard]
    })
    await vi.waitFor(() => expect(heard).toEqual(['first', 'zweite ü']))
    expect(heardBefore).toEqual([])
    expect(onGap).not.toHaveBeenCalled()
    await stop()
  })

  it('never hears what was rolled back', async () => {
    const { heard, stop } = await hear('news')
    const failing = db.asOwner('test', async (tx) => {
      await tx.query("select pg_notify('news', 'undone')")
      throw new Error('our own')
    })
    await expect(failing).rejects.toThrow('our own')
    await notify('news', 'kept')
    await vi.waitFor(() => expect(heard).toEqual(['kept']))
    await stop()
  })

  it('hears its own channel only, and empty messages too', async () => {
    const [mixed, lower] = await Promise.all([hear('news_1'), hear('news_2')])
    await notify('news_1', 'for the first')
    await notify('news_2', '')
    await vi.waitFor(() => expect([mixed.heard, lower.heard]).toEqual([['for the first'], ['']]))
    await Promise.all([mixed.stop(), lower.stop()])
  })

  it('serves several listeners of a channel, and one that stops does not silence the others', async () => {
    const [first, second] = await Promise.all([hear('shared'), hear('shared')])
    await notify('shared', 'both')
    await vi.waitFor(() => expect([first.heard, second.heard]).toEqual([['both'], ['both']]))
    await first.stop()
    await notify('shared', 'one')
    await vi.waitFor(() => expect(second.heard).toEqual(['both', 'one']))
    expect(first.heard).toEqual(['both'])
    await second.stop()
  })

  it('hears what a caller of the API did, such as changing the library', async () => {
    const { heard, stop } = await hear('content_changed')
    await db.asCaller({ role: 'service_role', claims: {} }, (tx) =>
      tx.query("insert into public.resources (title, description, category) values ('t', 'd', 'reading')"),
    )
    await vi.waitFor(() => expect(heard).toHaveLength(1))
    await stop()
  })
})

describe('closing', () => {
  it('ends all its listeners, and stopping one afterwards harms nothing', async () => {
    const db = await openTestDatabase()
    const onGap = vi.fn()
    const stops = await Promise.all(['one', 'two'].map((channel) => db.listen(channel, vi.fn(), onGap)))
    await db.close()
    await expect(Promise.all(stops.map((stop) => stop()))).resolves.toBeDefined()
    expect(onGap).not.toHaveBeenCalled()
  })
})

describe('closing PostgreSQL', () => {
  it('leaves no connection of a listener behind, of which there was one for all channels', async () => {
    const open = () => openDatabase({ kind: 'postgres', url: databaseUrl('listened') }, log)
    await onServer('create database listened template migrated')
    const observer = await open()
    const left = async () => {
      const { rows } = await observer.asOwner('test', (tx) =>
        tx.query(`select 1 from pg_stat_activity
          where datname = current_database() and application_name = 'walking-together listen'`),
      )
      return rows.length
    }
    const db = await open()
    const stops = await Promise.all(['one', 'two', 'three'].map((name) => db.listen(name, vi.fn(), vi.fn())))
    expect(await left()).toBe(1)
    await Promise.all(stops.map((stop) => stop()))
    // The server takes a moment to see that its client is gone.
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 5_000 })
    await db.listen('one', vi.fn(), vi.fn())
    expect(await left()).toBe(1)
    await db.close()
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 5_000 })
    await observer.close()
    await onServer('drop database listened')
  })
})
