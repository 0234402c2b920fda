import { readFile } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { allMigrations } from '#server/database/migrate.ts'
import type { Transaction, Value } from '#server/database/port.ts'
import { fromDriver } from '#server/database/port.ts'

/** One long transaction on a connection of its own, which can also copy tables out and in. */
export interface Session {
  tx: Transaction
  /** `copy … to stdout`: bytes as they arrive; `rowCount` is right at its end. */
  copyOut(sql: string): Readable & { rowCount: number }
  /** `copy … from stdin`: `rowCount` is right once it has finished. */
  copyIn(sql: string): Writable & { rowCount: number }
  commit(): Promise<void>
  /** Ends the connection. */
  close(): Promise<void>
}

const APPLICATION_NAME = 'walking-together-backup'

/** The same text for the same value on every server, and no clock of the server's that could end a long copy. */
const SETTINGS = `
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local lock_timeout = '60s';
  set local time zone 'UTC';
  set local datestyle = 'ISO';
  set local intervalstyle = 'postgres';
  set local bytea_output = 'hex';
  set local extra_float_digits = 1;
  set local client_encoding = 'UTF8';
  set local synchronize_seqscans = off;`

/**
 * Begins a transaction as the database's owner: a `snapshot` sees one moment and writes nothing. Whatever ends this
 * process rolls it back, and so does closing it before a commit. Errors: DatabaseUnavailable.
 */
export async function openSession(url: string, kind: 'snapshot' | 'write'): Promise<Session> {
  const client = new pg.Client({ connectionString: url, application_name: APPLICATION_NAME, keepAlive: true })
  // A connection that breaks fails the next statement, which does not know why; without a handler the process would end.
  let lost: Error | undefined
  client.on('error', (error) => {
    lost ??= error
  })
  try {
    await client.connect()
    const mode = kind === 'snapshot' ? 'repeatable read read only' : 'read committed'
    await client.query(`begin isolation level ${mode}`)
    await client.query(SETTINGS)
  } catch (error) {
    await client.end().catch(() => undefined)
    throw fromDriver(error)
  }
  return sessionOn(client, () => lost)
}

function sessionOn(client: pg.Client, whyLost: () => Error | undefined): Session {
  const run = (text: string, values?: Value[]) =>
    client.query(text, values).catch((error) => {
      throw fromDriver(whyLost() ?? error)
    })
  return {
    tx: {
      async query<Row>(text: string, values: readonly Value[] = []) {
        const { rows, rowCount } = await run(text, [...values])
        return { rows: rows as Row[], affected: rowCount ?? rows.length }
      },
      async script(sql) {
        await run(sql)
      },
    },
    copyOut: (sql) => client.query(copyTo(sql)),
    copyIn: (sql) => client.query(copyFrom(sql)),
    async commit() {
      await run('commit')
    },
    close: () => client.end().catch(() => undefined),
  }
}

/** A table whose rows belong into a backup. */
export interface Table {
  schema: string
  name: string
  /** Those that are written, in their order: generated ones follow from them. */
  columns: string[]
}

/** Schemas that are ours altogether; of `public` only the tables that migrations make are. */
const OWN_SCHEMAS = ['auth', 'platform', 'private', 'storage']

/** What can be made again, or means nothing in another place. */
const LEFT_OUT = new Set([
  // A cache of pictures in other sizes.
  'storage.image_variants',
  // Which bytes may go, and which were set aside: the archive has only those that rows name.
  'storage.retired_bytes',
  'storage.quarantined_objects',
  // What this place knows of its own backups.
  'public.backup_runs',
  // Which key the secrets are sealed with; they are sealed anew where the archive is restored.
  'platform.encryption_key',
])

/**
 * The tables that a backup holds, as the database has them now; unlogged ones hold nothing that must last. Tables in
 * schema public that no migration of ours makes are somebody else's.
 */
export async function tablesToKeep(tx: Transaction): Promise<Table[]> {
  const ours = await tablesOfMigrations()
  return (await existingTables(tx)).filter(({ schema, name }) => {
    const full = `${schema}.${name}`
    return !LEFT_OUT.has(full) && (schema !== 'public' || ours.has(full))
  })
}

/** Tables in schema public that are none of ours. */
export async function foreignTables(tx: Transaction): Promise<string[]> {
  const ours = await tablesOfMigrations()
  const all = (await existingTables(tx)).map(({ schema, name }) => `${schema}.${name}`)
  return all.filter((full) => full.startsWith('public.') && !ours.has(full))
}

async function existingTables(tx: Transaction): Promise<Table[]> {
  const { rows } = await tx.query<Table>(
    `select n.nspname as schema, c.relname as name, array(
       select a.attname::text from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in (select json_array_elements_text($1)) and c.relkind = 'r' and c.relpersistence = 'p'
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by n.nspname, c.relname`,
    [JSON.stringify([...OWN_SCHEMAS, 'public'])],
  )
  return rows
}

/** Migrations say `create table if not exists schema.name`; a test compares this with what they really make. */
export async function tablesOfMigrations(): Promise<Set<string>> {
  const names = new Set<string>()
  for (const { file } of await allMigrations()) {
    const sql = await readFile(file, 'utf8')
    for (const [, name] of sql.matchAll(/^\s*create (?:unlogged )?table if not exists ([\w.]+)/gim))
      names.add(name as string)
  }
  return names
}

export const tableName = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`

export const columnList = (columns: readonly string[]): string => columns.map(pg.escapeIdentifier).join(', ')

/** A counter behind ids, and what it stands at. */
interface Sequence {
  schema: string
  name: string
  value: string
}

/** Counters that have been used. They know no snapshots: one that has gone on since leaves a gap, and no id twice. */
export async function readSequences(tx: Transaction): Promise<Sequence[]> {
  const { rows } = await tx.query<Sequence>(
    `select schemaname as schema, sequencename as name, last_value::text as value from pg_sequences
     where schemaname in (select json_array_elements_text($1)) and last_value is not null order by 1, 2`,
    [JSON.stringify([...OWN_SCHEMAS, 'public'])],
  )
  return rows
}

/** Rows that name stored bytes, and the sizes that they say. */
const NAMED_FILES = `
  select version, (metadata ->> 'size')::bigint as size from storage.objects where version is not null
  union select version, size from storage.resumable_parts`

/** The version ids of all bytes that a backup must hold. */
export async function namedFiles(tx: Transaction): Promise<string[]> {
  const { rows } = await tx.query<{ version: string }>(
    `select distinct version from (${NAMED_FILES}) named order by 1`,
  )
  return rows.map(({ version }) => version)
}

/**
 * Whether people have put anything into this database. Each start of the service makes an admin where there is none, so
 * a database that was ever served has an account; one that was only migrated holds nothing.
 */
export async function holdsData(tx: Transaction): Promise<boolean> {
  for (const table of ['auth.users', 'public.resources', 'storage.objects']) {
    const { rows } = await tx.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      table,
    ])
    if (rows[0]?.there && (await tx.query(`select from ${table} limit 1`)).affected > 0) return true
  }
  return false
}
