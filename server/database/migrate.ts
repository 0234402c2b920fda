import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import { SetupError } from '#server/config/setup-error.ts'
import { installJobs } from '#server/jobs/install.ts'
import { isSqlError } from './errors.ts'
import type { Database, Transaction } from './port.ts'

/** Files that are applied once each, in the order of their names, and the table that remembers them. */
interface Series {
  folder: string
  ledger: string
}

/** What Supabase provides in its own projects. It is never sent to one, so the CLI's ledger does not know of it. */
const platform: Series = {
  folder: join(import.meta.dirname, 'bootstrap'),
  ledger: 'supabase_migrations.platform_migrations',
}
/** What is ours. The ledger is the table that the Supabase CLI keeps, so that both know what has been applied. */
const product: Series = {
  folder: join(import.meta.dirname, '../../supabase/migrations'),
  ledger: 'supabase_migrations.schema_migrations',
}
const ledgers = `
  create schema if not exists supabase_migrations;
  create table if not exists ${platform.ledger} (version text primary key, name text);
  create table if not exists ${product.ledger} (version text primary key, statements text[], name text);
`

/** One lock for all processes that start on the same database. Any number will do, as long as it stays the same. */
const MIGRATION_LOCK = 7_240_116

/** The schema could not be brought up to date; nothing of the attempt is left. */
export class MigrationFailed extends SetupError {
  constructor(step: string, cause: { message: string; code: string; hint: string | undefined }) {
    const advice =
      cause.hint ?? (cause.code === '42501' ? 'The login must own the database and have CREATEROLE.' : '')
    super(`The database could not be set up (${step}): ${cause.message}. ${advice}`.trim(), { cause })
  }
}

/**
 * Brings the database to the newest schema, all in one transaction. Processes that start together take turns.
 * Errors: MigrationFailed, DatabaseUnavailable.
 */
export async function migrate(db: Database, log: Logger): Promise<void> {
  await db.asOwner('migrate', async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await step('ledger', () => tx.script(ledgers))
    await applyNew(tx, platform, log)
    await applyNew(tx, product, log)
    await step('jobs', () => installJobs(tx))
    await step('service-role', () => runFile(tx, join(import.meta.dirname, 'service-role.sql')))
  })
}

/** Every migration there is, in order: for the test that applies each one twice. */
export const allMigrations = async (): Promise<string[]> => [
  ...(await filesOf(platform)),
  ...(await filesOf(product)),
]

async function applyNew(tx: Transaction, series: Series, log: Logger): Promise<void> {
  const { rows } = await tx.query<{ version: string }>(`select version from ${series.ledger}`)
  const applied = new Set(rows.map((row) => row.version))
  for (const file of await filesOf(series)) {
    const [, version, name] = /^(\d+)_(\w+)\.sql$/.exec(basename(file)) ?? []
    if (!version || !name) throw new Error(`${file} is no name for a migration`)
    if (applied.has(version)) continue
    await step(basename(file, '.sql'), () => runFile(tx, file))
    await tx.query(`insert into ${series.ledger} (version, name) values ($1, $2)`, [version, name])
    log.info({ migration: name }, 'migration applied')
  }
}

/** Paths of a series' .sql files, sorted by name. */
async function filesOf({ folder }: Series): Promise<string[]> {
  const names = await readdir(folder)
  return names
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => join(folder, name))
}

const runFile = async (tx: Transaction, file: string): Promise<void> =>
  tx.script(await readFile(file, 'utf8'))

/** Names what was being done when the database refused. */
async function step(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw isSqlError(error) ? new MigrationFailed(name, error) : error
  }
}
