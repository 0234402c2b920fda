import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import type { Database, Transaction } from './port.ts'

/** What Supabase provides in its own projects, and what is ours. The first is never sent to a hosted project. */
const platformFolder = join(import.meta.dirname, 'bootstrap')
const productFolder = join(import.meta.dirname, '../../supabase/migrations')

/** One lock for all processes that start on the same database. Any number will do, as long as it stays the same. */
const MIGRATION_LOCK = 7_240_116

/**
 * Brings the database to the newest schema: each file once, in the order of their names, all in one transaction.
 * The ledger is the table that the Supabase CLI keeps, so that both know what has been applied.
 */
export async function migrate(db: Database, log: Logger): Promise<void> {
  const files = await allMigrations()
  await db.asOwner('migrate', async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await tx.script(ledger)
    const { rows } = await tx.query<{ version: string }>('select version from supabase_migrations.schema_migrations')
    const applied = new Set(rows.map((row) => row.version))
    for (const file of files.filter((path) => !applied.has(versionOf(path)))) {
      await apply(tx, file)
      log.info({ migration: basename(file) }, 'migration applied')
    }
  })
}

/** Paths of a folder's .sql files, sorted by name. */
async function sqlFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names.filter((name) => name.endsWith('.sql')).sort().map((name) => join(folder, name))
}

/** Every migration there is, in order: for the test that applies each one twice. */
export const allMigrations = async (): Promise<string[]> => [
  ...(await sqlFiles(platformFolder)),
  ...(await sqlFiles(productFolder)),
]

async function apply(tx: Transaction, file: string): Promise<void> {
  await tx.script(await readFile(file, 'utf8'))
  await tx.query('insert into supabase_migrations.schema_migrations (version, name) values ($1, $2)', [
    versionOf(file),
    basename(file, '.sql').replace(/^\d+_/, ''),
  ])
}

const versionOf = (file: string): string => /^\d+/.exec(basename(file))?.[0] ?? basename(file)

const ledger = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (
    version text primary key, statements text[], name text
  );
`
