import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import { SetupError } from '#server/config/env.ts'
import { installJobs } from '#server/jobs/open.ts'
import { type Database, isSqlError, type Transaction } from './port.ts'

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
const CHECKSUMS = 'supabase_migrations.migration_checksums'
const ledgers = `
  create schema if not exists supabase_migrations;
  create table if not exists ${platform.ledger} (version text primary key, name text);
  create table if not exists ${product.ledger} (version text primary key, statements text[], name text);
  -- Apart from the ledgers, whose columns are the Supabase CLI's. The versions of the two series never meet.
  create table if not exists ${CHECKSUMS} (version text primary key, sha256 text not null);
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

/** A release that knows more migrations has been here. What it made must not be served by what does not know of it. */
class DatabaseNewer extends SetupError {
  constructor(versions: readonly string[]) {
    super(
      `The database was set up by a newer release (migration ${versions.join(', ')}). Start that release, or restore a backup that this one made.`,
    )
  }
}

/** One file of a series, as the code has it. */
export interface Migration {
  version: string
  name: string
  file: string
  ledger: string
  /** Of the text with line feeds alone, so that a checkout on Windows is the same. */
  sha256: string
}

/** One that has been applied, and what its text was then; undefined: from before checksums were kept. */
export interface AppliedMigration {
  version: string
  sha256: string | undefined
}

/** What `npm run migrate -- --status` shows. */
export interface MigrationStatus {
  applied: Migration[]
  waiting: Migration[]
  /** Applied, and changed afterwards: the database is not what the files say. */
  altered: Migration[]
  /** Applied by a release that has files which this one lacks. */
  unknown: string[]
}

/**
 * Brings the database to the newest schema, all in one transaction. Processes that start together take turns.
 * Errors: DatabaseNewer, MigrationFailed, DatabaseUnavailable.
 */
export async function migrate(db: Database, log: Logger): Promise<void> {
  await db.asOwner('migrate', (tx) => applyMigrations(tx, log), { unlimited: true })
}

/** Migrations up to a certain state of the schema, within a transaction that its caller began. Errors: as `migrate`. */
export async function applyMigrations(
  tx: Transaction,
  log: Logger,
  { only = () => true }: { only?: (migration: Migration) => boolean } = {},
): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  await step('ledger', () => tx.script(ledgers))
  const known = await allMigrations()
  const applied = await appliedMigrations(tx)
  refuseNewer(known, applied)
  const { waiting, altered } = compare(known, applied)
  for (const { name } of altered) log.warn({ migration: name }, 'an applied migration was changed afterwards')
  for (const migration of waiting.filter(only)) await apply(tx, migration, log)
  await rememberChecksums(tx, known)
  await step('jobs', () => installJobs(tx))
  await step('service-role', () => runFile(tx, join(import.meta.dirname, 'service-role.sql')))
}

/** Errors: DatabaseNewer, when something is applied that comes after every known migration of its series. */
export function refuseNewer(known: readonly Migration[], applied: readonly AppliedMigration[]): void {
  const isNewer = (version: string) =>
    known.every((one) => one.version.length !== version.length || byNumber(version, one.version) > 0)
  const newer = applied.map(({ version }) => version).filter(isNewer)
  if (newer.length > 0) throw new DatabaseNewer(newer)
}

/** Compares files and ledgers without changing anything. */
export async function migrationStatus(tx: Transaction): Promise<MigrationStatus> {
  return compare(await allMigrations(), await appliedMigrations(tx))
}

/** Every migration there is, in the order in which they are applied. */
export const allMigrations = async (): Promise<Migration[]> => [
  ...(await migrationsOf(platform)),
  ...(await migrationsOf(product)),
]

/** What the ledgers say, by version. Empty where nothing of ours ever was. */
export async function appliedMigrations(tx: Transaction): Promise<AppliedMigration[]> {
  const exists = async (table: string) =>
    (await tx.query('select from pg_class where oid = to_regclass($1)', [table])).affected > 0
  if (!(await exists(platform.ledger)) || !(await exists(product.ledger))) return []
  const sums = (await exists(CHECKSUMS)) ? CHECKSUMS : '(select null::text as version, null::text as sha256)'
  const { rows } = await tx.query<{ version: string; sha256: string | null }>(
    `select version, sha256 from (select version from ${platform.ledger} union all select version from ${product.ledger}) applied
     left join ${sums} sums using (version)`,
  )
  return rows
    .map(({ version, sha256 }) => ({ version, sha256: sha256 ?? undefined }))
    .sort((a, b) => byNumber(a.version, b.version))
}

function compare(known: readonly Migration[], applied: readonly AppliedMigration[]): MigrationStatus {
  const sums = new Map(applied.map(({ version, sha256 }) => [version, sha256]))
  const isApplied = ({ version }: Migration) => sums.has(version)
  const versions = new Set(known.map(({ version }) => version))
  return {
    applied: known.filter(isApplied),
    waiting: known.filter((migration) => !isApplied(migration)),
    altered: known.filter(({ version, sha256 }) => (sums.get(version) ?? sha256) !== sha256),
    unknown: applied.map(({ version }) => version).filter((version) => !versions.has(version)),
  }
}

/** Four digits for the platform's, fourteen for the product's: both are numbers. */
const byNumber = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

async function apply(
  tx: Transaction,
  { version, name, file, ledger }: Migration,
  log: Logger,
): Promise<void> {
  await step(basename(file, '.sql'), () => runFile(tx, file))
  await tx.query(`insert into ${ledger} (version, name) values ($1, $2)`, [version, name])
  log.info({ migration: name }, 'migration applied')
}

/** Of those that are applied and have none yet: a sum that is there stays, so that a change keeps being seen. */
async function rememberChecksums(tx: Transaction, known: readonly Migration[]): Promise<void> {
  await tx.query(
    `insert into ${CHECKSUMS} (version, sha256)
     select known.version, known.sha256 from json_to_recordset($1) as known (version text, sha256 text)
     where known.version in (select version from ${platform.ledger} union all select version from ${product.ledger})
     on conflict do nothing`,
    [JSON.stringify(known.map(({ version, sha256 }) => ({ version, sha256 })))],
  )
}

async function migrationsOf({ folder, ledger }: Series): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (file) => {
      const [, version, name] = /^(\d+)_(\w+)\.sql$/.exec(file) ?? []
      if (!version || !name) throw new Error(`${file} is no name for a migration`)
      const path = join(folder, file)
      const text = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n')
      return { version, name, file: path, ledger, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
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
