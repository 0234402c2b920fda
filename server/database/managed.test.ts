import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serviceRole, visitor } from '#server/tokens/caller.ts'
import { type PostgresServer, startPostgres } from '#tests/support/postgres-server.ts'
import { MigrationFailed, migrate } from './migrate.ts'
import { openDatabase } from './open.ts'
import type { Database } from './port.ts'

const log = pino({ level: 'silent' })

/** What a managed PostgreSQL gives: no superuser, only a login that owns its database. */
describe('a PostgreSQL whose superuser we are not', () => {
  let server: PostgresServer
  const opened: Database[] = []

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => {
    for (const db of opened) await db.close()
    await server.remove()
  })

  const asSuperuser = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: server.url() })
    await client.connect()
    for (const sql of statements) await client.query(sql)
    await client.end()
  }
  const openAs = async (login: string, database: string): Promise<Database> => {
    const url = new URL(server.url(database))
    Object.assign(url, { username: login, password: 'x' })
    const db = await openDatabase({ kind: 'postgres', url: url.href }, log)
    opened.push(db)
    return db
  }
  const titles = (db: Database, caller: typeof visitor) =>
    db.asCaller(caller, (tx) =>
      tx.query<{ title: string }>('select title from public.resources order by title'),
    )

  it('is enough with CREATEROLE and the database as its own', async () => {
    await asSuperuser("create role owner login createrole password 'x'", 'create database ours owner owner')
    const db = await openAs('owner', 'ours')
    await migrate(db, log)
    await migrate(db, log)

    const add = 'insert into public.resources (title, description, category, public) values ($1, $1, $2, $3)'
    await db.asCaller(serviceRole, (tx) => tx.query(add, ['open', 'reading', true]))
    await db.asCaller(serviceRole, (tx) => tx.query(add, ['private', 'reading', false]))
    expect((await titles(db, serviceRole)).rows).toHaveLength(2)
    expect((await titles(db, visitor)).rows).toEqual([{ title: 'open' }])
    const bypass = await db.asOwner('test', (tx) =>
      tx.query("select rolbypassrls as bypass from pg_roles where rolname = 'service_role'"),
    )
    expect(bypass.rows).toEqual([{ bypass: false }])
  })

  it('is not enough without the right to act as the API roles, and says what to do', async () => {
    await asSuperuser("create role tenant login password 'x'", 'create database theirs owner tenant')
    const db = await openAs('tenant', 'theirs')
    const failed = migrate(db, log)
    await expect(failed).rejects.toBeInstanceOf(MigrationFailed)
    await expect(failed).rejects.toThrow(
      'The database could not be set up (0001_roles): tenant may not act as the role anon. ' +
        'Let a superuser run: grant anon, authenticated, service_role to tenant',
    )
    await asSuperuser('grant anon, authenticated, service_role to tenant')
    await migrate(db, log)
    expect((await titles(db, visitor)).rows).toEqual([])
  })

  it('is not enough when the database is somebody else’s, and says what is missing', async () => {
    await asSuperuser("create role guest login password 'x'", 'create database foreign_db')
    const db = await openAs('guest', 'foreign_db')
    await expect(migrate(db, log)).rejects.toThrow(
      'The database could not be set up (ledger): permission denied for database foreign_db. ' +
        'The login must own the database and have CREATEROLE.',
    )
  })
})
