import type { Database, Transaction } from '#server/database/port.ts'
import type { Files, ListedFile } from '#server/files/port.ts'
import { isThere } from './installation.ts'

/** A row of the database that names bytes: of an object, a piece of an upload under way, or a picture in another size. */
export interface NamedBytes {
  kind: 'object' | 'piece' | 'variant'
  /** What a person would call it. */
  label: string
  /** The id of the object, or of the upload that the piece belongs to. */
  id: string
  version: string | null
}

/** Where database and files disagree. */
export interface Disagreements {
  /** Rows whose bytes are not there. */
  lost: NamedBytes[]
  /** Bytes that no row names. */
  forgotten: ListedFile[]
  /** What a broken write left. */
  halfWritten: ListedFile[]
  /** What was compared: rows that name bytes, and files of ours. */
  counts: { rows: number; files: number }
}

interface Options {
  db: Database
  files: Files
  /** Younger files may belong to an upload that is under way in another process; they are left out. */
  settledBefore: Date
}

/**
 * Compares all rows with all files. Uploads write bytes first and rows after, removals the other way round, so only
 * what lasts is a disagreement: losses are looked at twice, and young files not at all.
 */
export async function findDisagreements({ db, files, settledBefore }: Options): Promise<Disagreements> {
  const named = await readNamed(db)
  const stored = new Map<string, ListedFile>()
  const halfWritten: ListedFile[] = []
  for await (const file of files.list()) {
    if (file.whole) stored.set(file.key, file)
    else if (file.modifiedAt <= settledBefore) halfWritten.push(file)
  }
  const suspects = named.filter(({ version }) => version === null || !stored.has(version))
  const stillNamed = await readNamed(db)
  const retired = await db.asOwner('bytes that are kept for a while', retiredVersions, { unlimited: true })
  const versions = new Set([...[...named, ...stillNamed].map(({ version }) => version), ...retired])
  const forgotten = [...stored.values()].filter(
    ({ key, modifiedAt }) => !versions.has(key) && modifiedAt <= settledBefore,
  )
  return {
    lost: await confirmed(suspects, stillNamed, files),
    forgotten,
    halfWritten,
    counts: { rows: named.length, files: stored.size },
  }
}

/** Those that are still named, and still cannot be read. */
async function confirmed(
  suspects: NamedBytes[],
  stillNamed: NamedBytes[],
  files: Files,
): Promise<NamedBytes[]> {
  const now = new Set(stillNamed.map(({ id, version }) => `${id} ${version}`))
  const lost: NamedBytes[] = []
  for (const row of suspects) {
    if (now.has(`${row.id} ${row.version}`) && !(row.version && (await isThere(files, row.version))))
      lost.push(row)
  }
  return lost
}

const readNamed = (db: Database): Promise<NamedBytes[]> =>
  db.asOwner('compare rows with files', namedBytes, { unlimited: true })

async function namedBytes(tx: Transaction): Promise<NamedBytes[]> {
  const { rows } = await tx.query<NamedBytes>(
    `select 'object' as kind, bucket_id || '/' || name as label, id, version from storage.objects
     union all
     select 'piece', 'upload of ' || u.bucket_id || '/' || u.name, u.id, p.version
     from storage.resumable_parts p join storage.resumable_uploads u on u.id = p.upload_id
     union all
     select 'variant', v.recipe || ' of ' || o.bucket_id || '/' || o.name, o.id, v.version
     from storage.image_variants v join storage.objects o on o.version = v.source`,
  )
  return rows
}

async function retiredVersions(tx: Transaction): Promise<string[]> {
  const { rows } = await tx.query<{ version: string }>('select version from storage.retired_bytes')
  return rows.map(({ version }) => version)
}
