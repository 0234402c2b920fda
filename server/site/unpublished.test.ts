import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open.ts'
import { type Database, DatabaseUnavailable } from '#server/database/port.ts'
import { visitor } from '#server/tokens/caller.ts'
import { type Network, openNetwork } from '#tests/support/network.ts'
import { ask } from '#tests/support/own-database.ts'
import { type PostgresServer, startPostgres } from '#tests/support/postgres-server.ts'
import { type ContentWatch, watchDatabase } from './content-watch.ts'
import { createPageCache, type PageCache } from './page-cache.ts'
import { makeDeliverable } from './page-delivery.ts'

const log = pino({ level: 'silent' })
const MINUTE = 60_000

/** What a reader sees while nothing else is to be had. */
const APOLOGY = '503 sorry'

/** A process that shows pages, behind a network of its own. */
interface Process {
  db: Database
  network: Network
  cache: PageCache
  watch: ContentWatch
  /** The page at an address, as `status text`. */
  show(address?: string): Promise<string>
  /** Lets time pass for its memory. */
  advance(ms: number): void
  close(): Promise<void>
}

async function startProcess(url: string, { direct = false } = {}): Promise<Process> {
  const network = await openNetwork(url)
  const db = await openDatabase({ kind: 'postgres', url: direct ? url : network.url }, log)
  let passed = 0
  const cache = createPageCache({ now: () => performance.now() + passed })
  const watch = await watchDatabase(db, cache)
  const page = (status: number, text: string) =>
    makeDeliverable(status, {}, new TextEncoder().encode(`${status} ${text}`))
  const render = async () => {
    try {
      const { rows } = await db.asCaller(
        visitor,
        (tx) => tx.query<{ title: string }>('select title from public.resources where public'),
        { single: true },
      )
      return rows[0] ? page(200, rows[0].title) : page(404, 'not found')
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return page(503, 'sorry')
      throw error
    }
  }
  return {
    db,
    network,
    cache,
    watch,
    show: async (address = '/page') =>
      new TextDecoder().decode((await cache.get(address, render)).bodies.identity),
    advance(ms) {
      passed += ms
    },
    async close() {
      await watch.stop()
      await db.close()
      await network.close()
    },
  }
}

let server: PostgresServer
let databases = 0
let url: string
let one: Process
let other: Process
beforeAll(async () => {
  server = await startPostgres()
  await ask(server.url(), 'create database migrated')
  const db = await openDatabase({ kind: 'postgres', url: server.url('migrated') }, log)
  await migrate(db, log)
  await db.close()
})
afterAll(() => server?.remove())
beforeEach(async () => {
  // Some tests leave it as it is after a crash.
  await server.start()
  const name = `test_${databases++}`
  await ask(server.url(), `create database ${name} template migrated`)
  url = server.url(name)
  one = await startProcess(url)
  other = await startProcess(url)
  await change(
    "insert into public.resources (title, description, category, public) values ('first', 'd', 'reading', true)",
  )
  await vi.waitFor(async () => {
    expect(await one.show()).toBe('200 first')
    // The announcement of the change has come as well.
    expect(one.cache.fresh('/page')).toBeDefined()
  })
})
afterEach(async () => {
  await Promise.all([one.close(), other.close()])
})

/** What the other process does to the library. */
const change = (sql: string) => other.db.asOwner('test', (tx) => tx.script(sql))
const until = (shown: string) => vi.waitFor(async () => expect(await one.show()).toBe(shown), 10_000)
const notFresh = () => vi.waitFor(() => expect(one.cache.fresh('/page')).toBeUndefined(), 20_000)
/** Whether what is rendered now is kept as fresh: nothing is, while changes may be missed. */
const listensAgain = () =>
  vi.waitFor(async () => {
    await one.cache.get('/probe', async () => makeDeliverable(200, {}, new Uint8Array()))
    expect(one.cache.fresh('/probe')).toBeDefined()
  }, 30_000)

describe('while the database is away', { timeout: 60_000 }, () => {
  // A network of the test's own would take connections for a server that is not there.
  beforeEach(async () => {
    await one.close()
    one = await startProcess(url, { direct: true })
    expect(await one.show()).toBe('200 first')
  })

  it('the last page is shown, for as long as it is away', async () => {
    await server.stop('immediate')
    await notFresh()
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await one.show()).toBe('200 first')
      // Time enough to knock again, and to hear again that nobody is there.
      await pause(4_000)
      one.advance(4 * MINUTE)
    }
    expect(await one.show()).toBe('200 first')
    await server.start()
    await vi.waitFor(() => expect(one.cache.fresh('/page')).toBeDefined(), 30_000)
  })

  it('one that is out of date is shown too', async () => {
    await change("update public.resources set title = 'second'")
    await notFresh()
    await server.stop('immediate')
    await until('200 first')
  })

  it.each([
    ['made private', 'update public.resources set public = false'],
    ['deleted', 'delete from public.resources'],
    ['deleted with all others', 'truncate public.resources'],
    ['given another address', 'update public.resources set id = gen_random_uuid()'],
  ])('one that was %s before is not', async (_what, sql) => {
    await change(sql)
    await notFresh()
    await server.stop('immediate')
    expect(await one.show()).toBe(APOLOGY)
  })

  it('one that was made private while nobody listened is not', async () => {
    await one.show('/listing')
    await change(`
      select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'walking-together listen';
      update public.resources set public = false`)
    await until('404 not found')
    await listensAgain()
    await server.stop('immediate')
    await vi.waitFor(async () => expect(await one.show('/listing')).toBe(APOLOGY), 5_000)
  })
})

describe('behind a network that went silent', { timeout: 60_000 }, () => {
  it('the last page is shown within ten seconds, for a few minutes, and no longer', async () => {
    one.network.swallow()
    const began = performance.now()
    await notFresh()
    expect(await one.show()).toBe('200 first')
    expect(performance.now() - began).toBeLessThan(10_000)
    one.advance(4 * MINUTE)
    expect(await one.show()).toBe('200 first')
    one.advance(2 * MINUTE)
    expect(await one.show()).toBe(APOLOGY)
  })

  it('nothing is shown that was made private meanwhile, once the network is back', async () => {
    await one.show('/listing')
    one.network.swallow()
    await notFresh()
    await change('update public.resources set public = false')
    one.network.restore()
    await until('404 not found')
    await listensAgain()
    await server.stop('immediate')
    await vi.waitFor(async () => expect(await one.show('/listing')).toBe(APOLOGY), 5_000)
  })

  it('what did not change is fresh again without another render', async () => {
    one.network.swallow()
    await notFresh()
    one.network.restore()
    // A question that was on its way is given up after some seconds, then asked again.
    await vi.waitFor(() => expect(one.cache.fresh('/page')).toBeDefined(), 30_000)
  })
})
