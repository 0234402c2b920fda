import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { pino } from 'pino'
import { openDatabase } from '#server/database/open.ts'
import type { Database } from '#server/database/port.ts'

const log = pino({ level: 'silent' })
const TURNS = 514_229

/** The database that most tests' own is a copy of. */
export const TEMPLATE = 'migrated'

/** A database of the test's own, with bootstrap and migrations applied. Close it, and it is gone. */
export const openTestDatabase = (): Promise<Database> => openOnServer(TEMPLATE)

/** The same without any of our tables: what a first start finds. */
export const openEmptyTestDatabase = (): Promise<Database> => openOnServer('template0')

/** A copy of a template database, dropped again when it is closed. */
async function openOnServer(template: string): Promise<Database> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name} template ${template}`)
  const db = await openDatabase({ kind: 'postgres', url: databaseUrl(name) }, log)
  return {
    ...db,
    async close() {
      await db.close()
      await onServer(`drop database if exists ${name} with (force)`)
    },
  }
}

/** The address of a database on the run's server, as its superuser. */
export function databaseUrl(name: string): string {
  const url = new URL(environment('TEST_POSTGRES_URL'))
  url.pathname = name
  return url.href
}

/** Work on the run's server as its superuser, outside any test's database; one statement, mostly. */
export async function onServer(work: string | ((client: pg.Client) => Promise<void>)): Promise<void> {
  const client = new pg.Client({ connectionString: environment('TEST_POSTGRES_URL') })
  await client.connect()
  const done = typeof work === 'string' ? client.query(work) : work(client)
  await Promise.resolve(done).finally(() => client.end())
}

/** Work that the processes of a run take turns at: what the first has made is there for the others. */
export const inTurn = (work: (client: pg.Client) => Promise<void>): Promise<void> =>
  onServer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [TURNS])
    await work(client)
  })

/** What the run's setup has told all of its processes. */
export function environment(name: 'TEST_POSTGRES_URL' | 'TEST_RUN_FOLDER'): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: this is for tests that a runner started`)
  return value
}
