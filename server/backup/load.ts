import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import type { Logger } from 'pino'
import { SetupError } from '#server/config/env.ts'
import { LISTENER } from '#server/database/listen.ts'
import { appliedMigrations, applyMigrations } from '#server/database/migrate.ts'
import { isSqlError, type Transaction } from '#server/database/port.ts'
import { ArchiveDamaged, type Manifest, type TableFacts } from './archive.ts'
import {
  columnList,
  foreignTables,
  holdsData,
  type Session,
  type Table,
  tableName,
  tablesToKeep,
} from './session.ts'

/** The database cannot take an archive as it is. Nothing was changed. */
class DatabaseNotRestorable extends SetupError {}

/** Other processes of the service would write into what is being replaced. Errors: DatabaseNotRestorable. */
export async function refuseWhileServed(tx: Transaction): Promise<void> {
  const { affected } = await tx.query(
    `select from pg_stat_activity
     where datname = current_database() and application_name = $1`,
    [LISTENER],
  )
  if (affected > 0)
    throw new DatabaseNotRestorable(
      'Walking Together is running on this database. Stop it everywhere, then restore. Nothing was changed.',
    )
}

/**
 * Makes the schema what it was when the archive was made: migrations bring an empty database there, and one that holds
 * something, or is further, is emptied first. Errors: DatabaseNotRestorable, MigrationFailed, DatabaseNewer.
 */
export async function prepareSchema(tx: Transaction, { migrations }: Manifest, log: Logger): Promise<void> {
  const wanted = new Set(migrations.map(({ version }) => version))
  const applied = await appliedMigrations(tx)
  const isFurther = applied.some(({ version }) => !wanted.has(version))
  if (isFurther || (await holdsData(tx))) await dropEverything(tx)
  await applyMigrations(tx, log, { only: ({ version }) => wanted.has(version) })
}

/** All that our migrations have made, and what pg-boss keeps. Extensions stay, and so do the API's roles. */
async function dropEverything(tx: Transaction): Promise<void> {
  const foreign = await foreignTables(tx)
  if (foreign.length > 0)
    throw new DatabaseNotRestorable(
      `The database holds tables that are not ours: ${foreign.join(', ')}. Restore into a database of its own. Nothing was changed.`,
    )
  try {
    await tx.script(DROP_EVERYTHING)
  } catch (error) {
    if (!isSqlError(error)) throw error
    throw new DatabaseNotRestorable(
      `What the database holds cannot be replaced: ${error.message}. Restore into an empty database, as the login that owns it.`,
      { cause: error },
    )
  }
}

const DROP_EVERYTHING = `
  do $$
  declare
    -- All of them before the first is dropped: a drop takes others with it.
    statements text[] := array(
      select format('drop %s if exists public.%I cascade',
        case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end, c.relname)
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      union all
      select format('drop routine if exists %s cascade', p.oid::regprocedure)
      from pg_proc p where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      union all
      select format('drop type if exists public.%I cascade', t.typname)
      from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd')
        and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e'));
    statement text;
  begin
    foreach statement in array statements loop
      execute statement;
    end loop;
  end
  $$;
  drop schema if exists auth, storage, platform, private, pgboss, supabase_migrations cascade;`

/** Puts rows of an archive into tables whose triggers and foreign keys rest meanwhile. */
export interface Loading {
  /** Loads one table. Errors: ArchiveDamaged, SqlError. */
  table(facts: TableFacts, compressed: AsyncIterable<Uint8Array>): Promise<void>
  /** Counters, triggers and foreign keys: the rows are checked against these. Errors: ArchiveDamaged. */
  end(): Promise<void>
}

/**
 * Empties all tables and begins to load. It works without being superuser: what `session_replication_role` would do, the
 * owner of the tables does by dropping their foreign keys and adding them again, which checks all rows at once.
 * @param name of the archive, for messages
 */
export async function beginLoading(session: Session, name: string, manifest: Manifest): Promise<Loading> {
  const { tx } = session
  const tables = new Map((await tablesToKeep(tx)).map((table) => [tableName(table), table]))
  const all = [...tables.keys()]
  const keys = await foreignKeys(tx)
  for (const { table, constraint } of keys)
    await tx.script(`alter table ${table} drop constraint ${constraint}`)
  for (const table of all) await tx.script(`alter table ${table} disable trigger user`)
  await tx.script(`truncate ${all.join(', ')}`)
  return {
    async table(facts, compressed) {
      const table = tables.get(tableName(facts))
      if (!table || !hasColumns(table, facts)) {
        throw new ArchiveDamaged(name, `This release has no such table: ${facts.schema}.${facts.name}.`)
      }
      const rows = session.copyIn(`copy ${tableName(table)} (${columnList(facts.columns)}) from stdin`)
      await pipeline(Readable.from(compressed), createGunzip(), rows)
      if (rows.rowCount !== facts.rows) {
        throw new ArchiveDamaged(
          name,
          `${facts.schema}.${facts.name} should have ${facts.rows} rows and has ${rows.rowCount}.`,
        )
      }
    },
    async end() {
      await setSequences(tx, manifest)
      for (const table of all) await tx.script(`alter table ${table} enable trigger user`)
      for (const { table, constraint, definition } of keys) {
        await tx.script(`alter table ${table} add constraint ${constraint} ${definition}`)
      }
    },
  }
}

const hasColumns = (table: Table, { columns }: TableFacts): boolean =>
  columns.every((column) => table.columns.includes(column))

interface ForeignKey {
  table: string
  constraint: string
  definition: string
}

async function foreignKeys(tx: Transaction): Promise<ForeignKey[]> {
  const { rows } = await tx.query<ForeignKey>(
    `select format('%I.%I', n.nspname, c.relname) as table, quote_ident(k.conname) as constraint,
       pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     where k.contype = 'f' and k.conparentid = 0 and n.nspname in ('auth', 'platform', 'private', 'public', 'storage')`,
  )
  return rows
}

async function setSequences(tx: Transaction, { sequences }: Manifest): Promise<void> {
  const { rows } = await tx.query<{ schemaname: string; sequencename: string }>(
    'select schemaname, sequencename from pg_sequences',
  )
  for (const { schema, name, value } of sequences) {
    if (!rows.some((one) => one.schemaname === schema && one.sequencename === name)) continue
    await tx.query('select setval($1::regclass, $2)', [
      `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`,
      value,
    ])
  }
}
