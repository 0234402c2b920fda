import { createHash } from 'node:crypto'
import { pipeline, Transform } from 'node:stream'
import { createGzip } from 'node:zlib'
import { appliedMigrations } from '#server/database/migrate.ts'
import { FileMissing, type Files, isKey } from '#server/files/port.ts'
import { readWaitingJobs } from '#server/jobs/housekeeping.ts'
import {
  cut,
  HEADER_NAME,
  hashOf,
  MANIFEST_NAME,
  type Manifest,
  type Piece,
  type TableFacts,
  writeHeader,
  writeManifest,
} from './archive.ts'
import {
  columnList,
  namedFiles,
  openSession,
  readSequences,
  type Session,
  type Table,
  tableName,
  tablesToKeep,
} from './session.ts'

/** What an installation is made of, as far as a backup is concerned. */
export interface Source {
  /** Connects as the database's owner. */
  databaseUrl: string
  files: Files
  /** Small files that the rows cannot be read without, by name. */
  keys: ReadonlyMap<string, Buffer>
  release: string
}

/** Where the jobs stand that were waiting. */
export const WAITING_JOBS = 'jobs/waiting.json'

/** Where table rows stand in an archive. */
export const tableContent = ({ schema, name }: Pick<Table, 'schema' | 'name'>) =>
  `database/${schema}.${name}.copy.gz`

/**
 * Everything that an archive of this installation holds, in its order. The rows are those of one moment; the bytes that
 * they name are read after it, which is why stored bytes outlive their rows by days. Bytes that are not there are counted
 * in the manifest, and stop nothing. Errors: DatabaseUnavailable, SqlError, and what files may throw.
 */
export async function* dump(source: Source, onManifest: (manifest: Manifest) => void): AsyncGenerator<Piece> {
  const parts: Manifest['parts'] = []
  const noted = (piece: Piece): Piece => {
    parts.push({ name: piece.name, size: piece.bytes.length, sha256: hashOf(piece.bytes) })
    return piece
  }
  yield { name: HEADER_NAME, bytes: writeHeader(source.release, new Date()) }
  const rows: RowsFacts = { migrations: [], tables: [], sequences: [], waitingJobs: 0, versions: [] }
  for await (const piece of dumpRows(source.databaseUrl, rows)) yield noted(piece)
  for (const [name, bytes] of source.keys) {
    for await (const piece of cut(`keys/${name}`, once(bytes))) yield noted(piece)
  }
  const { versions, ...facts } = rows
  const files: Manifest['files'] = { count: 0, bytes: 0, missing: [] }
  for (const version of versions) {
    for await (const piece of dumpFile(source.files, version, files)) yield noted(piece)
  }
  const manifest: Manifest = { ...facts, files, parts }
  onManifest(manifest)
  yield* cut(MANIFEST_NAME, once(writeManifest(manifest)))
}

type RowsFacts = Pick<Manifest, 'migrations' | 'tables' | 'sequences' | 'waitingJobs'> & {
  versions: string[]
}

/** The rows of all tables as of one moment. The transaction ends with the last of them, not with the last file. */
async function* dumpRows(databaseUrl: string, facts: RowsFacts): AsyncGenerator<Piece> {
  const session = await openSession(databaseUrl, 'snapshot')
  try {
    const { tx } = session
    facts.migrations = await appliedMigrations(tx)
    for (const table of await tablesToKeep(tx)) yield* dumpTable(session, table, facts.tables)
    const jobs = await readWaitingJobs(tx)
    facts.waitingJobs = jobs.length
    yield* cut(WAITING_JOBS, once(Buffer.from(JSON.stringify(jobs))))
    facts.sequences = await readSequences(tx)
    facts.versions = await namedFiles(tx)
  } finally {
    await session.close()
  }
}

async function* dumpTable(session: Session, table: Table, facts: TableFacts[]): AsyncGenerator<Piece> {
  const hash = createHash('sha256')
  let bytes = 0
  const rows = session.copyOut(`copy ${tableName(table)} (${columnList(table.columns)}) to stdout`)
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  // An error of any of them ends the last, and is thrown where that one is read.
  const compressed = pipeline(rows, measured, createGzip(), () => undefined)
  yield* cut(tableContent(table), compressed)
  facts.push({ ...table, rows: rows.rowCount, bytes, sha256: hash.digest('hex') })
}

async function* dumpFile(files: Files, version: string, facts: Manifest['files']): AsyncGenerator<Piece> {
  try {
    if (!isKey(version)) throw new FileMissing(version)
    for await (const piece of cut(`files/${version}`, await files.read(version))) {
      facts.bytes += piece.bytes.length
      yield piece
    }
    facts.count++
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error
    facts.missing.push(version)
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
