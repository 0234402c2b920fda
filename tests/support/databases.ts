import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'
import { openDatabase } from '#server/database/open.ts'
import type { Database } from '#server/database/port.ts'
import { TEMPLATE } from './global-setup.ts'

const log = pino({ level: 'silent' })

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

/** The address of a database on the run's PostgreSQL server. */
export function databaseUrl(name: string): string {
  const url = new URL(inject('postgresUrl'))
  url.pathname = name
  return url.href
}

/** Runs one statement on the run's server as its superuser, outside any test's database. */
export async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}
