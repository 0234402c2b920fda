import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PostgrestClient } from '@supabase/postgrest-js'
import { Hono } from 'hono'
import { pino } from 'pino'
import type { Database } from '#server/database/port.ts'
import { createRest, type RestDeps } from '#server/rest/index.ts'
import { TokenRefused } from '#server/tokens/authenticate.ts'

const address = 'http://rest.test/rest/v1'
const keys = { publishable: 'sb_publishable_test', secret: 'sb_secret_test' }
const fixture = join(import.meta.dirname, '../acceptance/rest-fixture.sql')

const alice = 'aaaaaaaa-0000-4000-8000-000000000001'

/** Access tokens that the server under test accepts, by the name of who holds them. */
const members: Readonly<Record<string, Record<string, unknown>>> = {
  'token-of-alice': { sub: alice, role: 'authenticated', email: 'alice@example.org' },
}

const verifyToken = async (token: string): Promise<Record<string, unknown>> => {
  const claims = members[token]
  if (claims) return claims
  throw new TokenRefused('JWT cryptographic operation failed', { expired: token === 'token-that-expired' })
}

export type Who = 'visitor' | 'alice' | 'service'

const credentials: Readonly<Record<Who, Record<string, string>>> = {
  visitor: { apikey: keys.publishable, authorization: `Bearer ${keys.publishable}` },
  alice: { apikey: keys.publishable, authorization: 'Bearer token-of-alice' },
  service: { apikey: keys.secret, authorization: `Bearer ${keys.secret}` },
}

/** The client of a database whose types nobody wrote down, and whose server knows all of today's preferences. */
type Untyped = PostgrestClient extends PostgrestClient<infer Database> ? Database : never
export type Client = PostgrestClient<Untyped, { PostgrestVersion: '14' }>

export interface RestUnderTest {
  db: Database
  /** What the server declares, below where it is mounted. */
  routes: ReadonlyArray<{ method: string; path: string }>
  /** The unmodified client, as somebody. */
  as(who: Who): Client
  /** A request as a visitor, for what the client never sends. */
  send(path: string, init?: RequestInit): Promise<Response>
  /** For a server with sockets. */
  fetch: Hono['fetch']
  /** The same without any key. */
  sendBare(path: string, init?: RequestInit): Promise<Response>
  /** Runs SQL as the database's owner, to arrange and to look. */
  sql(script: string): Promise<void>
  /** Lines of the server's log. */
  logged: string[]
  close(): Promise<void>
}

/** /rest/v1 over the fixture, without a socket. */
export async function openRest(
  open: () => Promise<Database>,
  settings: Partial<RestDeps['settings']> = {},
): Promise<RestUnderTest> {
  const db = await open()
  const sql = (script: string) => db.asOwner('test', (tx) => tx.script(script))
  await sql(await readFile(fixture, 'utf8'))
  const logged: string[] = []
  const log = pino({}, { write: (line: string) => void logged.push(line) })
  const all = { schemas: ['public', 'other'], maxRows: 1000, aggregates: false, plans: false, ...settings }
  const app = new Hono().route('/rest/v1', createRest({ db, keys, verifyToken, log, settings: all }))
  const sendBare = async (path: string, init: RequestInit = {}) => app.request(`${address}${path}`, init)
  return {
    db,
    routes: app.routes,
    sql,
    logged,
    sendBare,
    fetch: app.fetch,
    send: (path, init = {}) =>
      sendBare(path, { ...init, headers: { ...credentials.visitor, ...init.headers } }),
    as: (who) =>
      new PostgrestClient<Untyped, { PostgrestVersion: '14' }>(address, {
        headers: credentials[who],
        fetch: async (input, init) => app.request(String(input), init),
      }),
    close: () => db.close(),
  }
}
