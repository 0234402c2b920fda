import { SetupError } from '#server/config/env.ts'
import type { Database, Transaction } from '#server/database/port.ts'
import type { Files } from '#server/files/port.ts'
import type { Disagreements, NamedBytes } from './find-disagreements.ts'

/** More than this share of all rows, or of all files, is no accident of a crash: the place is wrong, or a disk is lost. */
const MOST_AT_ONCE = 0.05
export const QUARANTINE_DAYS = 30

/** So much is amiss that something else must be wrong. */
class TooMuchAmiss extends SetupError {
  constructor(what: string) {
    super(
      `${what}: more than ${MOST_AT_ONCE * 100} % of all. Is STORAGE_URL right, and the database the one that belongs to it? Nothing was changed. If it is so, say --force.`,
    )
  }
}

/**
 * Makes database and files agree: rows that lost their bytes are set aside (such an object answers 404 already; an
 * upload that lost a piece begins anew), and so are bytes that nobody names. For 30 days `putBack` undoes it.
 * Errors: TooMuchAmiss, unless forced.
 */
export async function quarantine(
  db: Database,
  found: Disagreements,
  { force }: { force: boolean },
): Promise<void> {
  if (!force) refuseTooMuch(found)
  await db.asOwner('rows lost their bytes', async (tx) => {
    for (const row of found.lost) await setAside[row.kind](tx, row)
  })
  for (const file of [...found.forgotten, ...found.halfWritten]) await file.quarantine()
}

function refuseTooMuch({ lost, forgotten, halfWritten, counts }: Disagreements): void {
  const files = forgotten.length + halfWritten.length
  if (lost.length > counts.rows * MOST_AT_ONCE)
    throw new TooMuchAmiss(`${lost.length} of ${counts.rows} rows have lost their bytes`)
  if (files > (counts.files + halfWritten.length) * MOST_AT_ONCE)
    throw new TooMuchAmiss(`${files} of ${counts.files + halfWritten.length} files belong to no row`)
}

const setAside: Record<NamedBytes['kind'], (tx: Transaction, row: NamedBytes) => Promise<unknown>> = {
  object: (tx, { id, version }) =>
    tx.query(
      `with gone as (delete from storage.objects where id = $1 and version is not distinct from $2 returning *)
       insert into storage.quarantined_objects (content) select to_jsonb(gone) from gone`,
      [id, version],
    ),
  // The piece is lost for good, and the others are worth nothing without it.
  piece: (tx, { id }) => tx.query('delete from storage.resumable_uploads where id = $1', [id]),
  // It is made anew when somebody wants to see it.
  variant: (tx, { version }) => tx.query('delete from storage.image_variants where version = $1', [version]),
}

/**
 * Puts back what was set aside: rows, unless there is another object of that name by now, and files. Returns how many
 * of each.
 */
export async function putBack(db: Database, files: Files): Promise<{ rows: number; files: number }> {
  const rows = await db.asOwner('quarantined rows return', putBackRows)
  let count = 0
  for await (const file of files.quarantined()) {
    await file.putBack()
    count++
  }
  return { rows, files: count }
}

async function putBackRows(tx: Transaction): Promise<number> {
  const { rows } = await tx.query<{ version: string | null }>(
    `insert into storage.objects (id, bucket_id, name, owner, owner_id, metadata, user_metadata, version, created_at,
       updated_at, last_accessed_at)
     select r.id, r.bucket_id, r.name, r.owner, r.owner_id, r.metadata, r.user_metadata, r.version, r.created_at,
       r.updated_at, r.last_accessed_at
     from storage.quarantined_objects q, jsonb_populate_record(null::storage.objects, q.content) r
     where exists (select from storage.buckets b where b.id = r.bucket_id)
     on conflict do nothing returning version`,
  )
  await tx.query(
    `delete from storage.quarantined_objects q
     where exists (select from storage.objects o where o.id = (q.content ->> 'id')::uuid)`,
  )
  await tx.query(
    'delete from storage.retired_bytes r where exists (select from storage.objects o where o.version = r.version)',
  )
  return rows.length
}

/** Removes for good what was set aside 30 days ago. Returns how many rows and files that were. */
export async function purgeQuarantine(db: Database, files: Files, now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - QUARANTINE_DAYS * 24 * 3_600_000)
  const { affected } = await db.asOwner('quarantined rows expire', (tx) =>
    tx.query('delete from storage.quarantined_objects where quarantined_at < $1', [before.toISOString()]),
  )
  let count = affected
  for await (const file of files.quarantined()) {
    if (file.since >= before) continue
    await file.remove()
    count++
  }
  return count
}
