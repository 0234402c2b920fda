import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the run's PostgreSQL server, as its superuser. */
    postgresUrl: string
  }
}

/** The database that every test's own is a copy of. */
export const TEMPLATE = 'migrated'

let server: PostgresServer | undefined

/** One PostgreSQL server for the whole run. */
export async function setup({ provide }: TestProject): Promise<void> {
  server = await startPostgres()
  try {
    await makeTemplate(server)
  } catch (error) {
    await server.remove()
    throw error
  }
  provide('postgresUrl', server.url())
}

export const teardown = (): Promise<void> | undefined => server?.remove()

async function makeTemplate({ url }: PostgresServer): Promise<void> {
  const client = new pg.Client({ connectionString: url() })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const log = pino({ level: 'silent' })
  const db = await openDatabase({ kind: 'postgres', url: url(TEMPLATE) }, log)
  await migrate(db, log).finally(() => db.close())
}
