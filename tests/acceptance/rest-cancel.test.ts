import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { serverLibrary } from '#app/session/client/library.ts'
import { inProcessFetch } from '#server/backend/embedded.ts'
import type { Database } from '#server/database/port.ts'
import { createRest } from '#server/rest/index.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

const keys = { publishable: 'sb_publishable_test', secret: 'sb_secret_test' }
const headers = { apikey: keys.publishable, authorization: `Bearer ${keys.publishable}` }
const asService = { apikey: keys.secret, authorization: `Bearer ${keys.secret}` }
const settings = { schemas: ['public'], maxRows: 1000, aggregates: false, plans: false }

let db: Database
let handlers: Hono
const logged: string[] = []
beforeAll(async () => {
  db = await openTestDatabase()
  await db.asOwner('test', (tx) =>
    tx.script(`
      create table public.marks (word text);
      grant all on public.marks to anon, service_role;
      create function public.wait(seconds float8) returns text stable language sql as
        'select ''waited'' || pg_sleep(seconds)';
      create function public.wait_and_mark(seconds float8, word text) returns void language sql as
        'select pg_sleep(seconds); insert into public.marks values (word)';
      grant execute on function public.wait(float8), public.wait_and_mark(float8, text) to anon, service_role;
      notify pgrst;
    `),
  )
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
  const verifyToken = async () => ({})
  handlers = new Hono().route('/rest/v1', createRest({ db, keys, settings, verifyToken, log }))
})
afterAll(() => db.close())
beforeEach(() => {
  logged.length = 0
})

/** How many of our calls PostgreSQL is working on. */
const running = async (): Promise<number> => {
  const { rows } = await db.asOwner('look', (tx) =>
    tx.query<{ n: number }>(`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and state = 'active' and wait_event = 'PgSleep'`),
  )
  return rows[0]?.n ?? 0
}
const untilRunning = (n: number) => expect.poll(running, { timeout: 2_000, interval: 20 }).toBe(n)

const wait = (seconds: number) => `http://rest.test/rest/v1/rpc/wait?seconds=${seconds}`

describe('a reader who gives up', () => {
  it('in process is told so at once, and the query ends', async () => {
    const giveUp = new AbortController()
    const asked = inProcessFetch(handlers)(wait(7), { headers: asService, signal: giveUp.signal })
    await untilRunning(1)
    giveUp.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
    await untilRunning(0)
    expect(logged).toEqual([])
  })

  it('by the time limit of a loader ends the query too', async () => {
    const limits: AbortController[] = []
    const settings = { siteUrl: 'http://rest.test', apiUrl: 'http://rest.test', publishableKey: keys.secret }
    const library = serverLibrary({
      settings: {
        ...settings,
        contactEmail: 'a@example.org',
        earlyAccess: true,
        backups: 'nightly' as const,
      },
      api: {
        url: 'http://rest.test',
        fetch: (input, init) => {
          // Ten seconds are long for a test: the limit's own signal is followed by one that can be hurried.
          const hurried = new AbortController()
          limits.push(hurried)
          const signals = [hurried.signal, ...(init?.signal ? [init.signal] : [])]
          expect(signals).toHaveLength(2)
          return inProcessFetch(handlers)(input, { ...init, signal: AbortSignal.any(signals) })
        },
      },
    })
    const asked = library.rpc('wait' as never, { seconds: 7 } as never, { get: true })
    const answer = asked.then((result) => result)
    await untilRunning(1)
    for (const limit of limits) limit.abort()
    expect((await answer).error).not.toBeNull()
    await untilRunning(0)
  })

  it('in a browser that goes away ends the query', async () => {
    const server = createServer(getRequestListener(handlers.fetch))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      const leave = new AbortController()
      const asked = fetch(`http://127.0.0.1:${port}/rest/v1/rpc/wait?seconds=7`, {
        headers: asService,
        signal: leave.signal,
      })
      await untilRunning(1)
      leave.abort()
      await expect(asked).rejects.toThrow()
      await untilRunning(0)
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  it('leaves connections that work, also when many give up at any moment', async () => {
    const ask = inProcessFetch(handlers)
    await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const signal = AbortSignal.timeout(n * 5)
        await ask(wait(0.05), { headers, signal }).catch(() => undefined)
      }),
    )
    await untilRunning(0)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(wait(0), { headers })))
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual(Array(20).fill('waited'))
    expect(logged).toEqual([])
  })

  it('of a change does not undo it: a click on the way to another page counts', async () => {
    const giveUp = new AbortController()
    const asked = inProcessFetch(handlers)('http://rest.test/rest/v1/rpc/wait_and_mark', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ seconds: 0.3, word: 'kept' }),
      signal: giveUp.signal,
    })
    await untilRunning(1)
    giveUp.abort()
    await expect(asked).rejects.toThrow()
    const marks = () => db.asOwner('look', (tx) => tx.query('select word from public.marks'))
    await expect.poll(async () => (await marks()).rows, { timeout: 3_000 }).toEqual([{ word: 'kept' }])
  })
})

describe('a statement that takes too long', () => {
  it('is answered as on a hosted project, sooner for visitors', async () => {
    const started = performance.now()
    const answer = await handlers.request(wait(20), { headers })
    expect(performance.now() - started).toBeLessThan(7_000)
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual({
      code: '57014',
      message: 'canceling statement due to statement timeout',
      details: null,
      hint: null,
    })
  })
})
