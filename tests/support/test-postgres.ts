import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { pino } from 'pino'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open.ts'
import { openFiles } from '#server/files/open.ts'
import { loadStarterLibrary } from '#server/starter/load.ts'
import { databaseUrl, environment, inTurn, onServer, TEMPLATE } from './databases.ts'
import { startPostgres } from './postgres-server.ts'

/** The template with the starter library in it, too. */
const FURNISHED = 'furnished'

const log = pino({ level: 'silent' })
const library = join(import.meta.dirname, '../../content')

/** One PostgreSQL server for a whole run, known to all of its processes by the environment. Returns how to end it. */
export async function startTestPostgres(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'walking-together-run-'))
  // PostgreSQL runs as somebody else where root runs the tests.
  await chmod(folder, 0o711)
  const server = await startPostgres()
  const end = async () => {
    await server.remove()
    await rm(folder, { recursive: true, force: true })
  }
  process.env.TEST_POSTGRES_URL = server.url()
  process.env.TEST_RUN_FOLDER = folder
  try {
    await onServer(`create database ${TEMPLATE}`)
    const db = await openDatabase({ kind: 'postgres', url: databaseUrl(TEMPLATE) }, log)
    await migrate(db, log).finally(() => db.close())
    return end
  } catch (error) {
    await end()
    throw error
  }
}

/** The template that holds the starter library, and the folder of its files; made for the first who asks. */
export async function furnishedTemplate(): Promise<{ template: string; files: string }> {
  const files = join(environment('TEST_RUN_FOLDER'), 'furnished')
  await inTurn(async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [FURNISHED])
    if (!rowCount) await furnish(client, files)
  })
  return { template: FURNISHED, files }
}

/** Renamed when it is whole: what fails halfway is not taken for it. */
async function furnish(client: pg.Client, folder: string): Promise<void> {
  const unfinished = `${FURNISHED}_unfinished`
  await client.query(`drop database if exists ${unfinished}`)
  await client.query(`create database ${unfinished} template ${TEMPLATE}`)
  const db = await openDatabase({ kind: 'postgres', url: databaseUrl(unfinished) }, log)
  const files = await openFiles(`file:${folder}`)
  await loadStarterLibrary({ db, files, log, folder: library }).finally(() => db.close())
  await client.query(`alter database ${unfinished} rename to ${FURNISHED}`)
}
