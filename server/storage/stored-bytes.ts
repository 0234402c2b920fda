import { type Database, DatabaseUnavailable, type Transaction } from '#server/database/port.ts'
import type { Files } from '#server/files/port.ts'
import type { StorageDeps } from './request.ts'

type Unneeded = ReadonlyArray<{ version: string | null }>

/**
 * Removes bytes that no row ever named. A failure is nobody's answer: it is logged, and `npm run storage -- check`
 * finds what stayed behind. Bytes that an object had are retired by the database instead (bootstrap 0160).
 */
export async function discard(
  { files, log }: Pick<StorageDeps, 'files' | 'log'>,
  unneeded: Unneeded,
): Promise<void> {
  for (const { version } of unneeded) {
    if (version === null) continue
    await files.remove(version).catch((error) => log.error({ err: error, version }, 'bytes were left behind'))
  }
}

/**
 * Removes bytes whose row was refused, and passes the error on. When the database went away nobody knows whether the
 * row was committed: then the bytes stay, because bytes too many can be found again, and lost ones cannot.
 */
export async function discardUnlessKept(
  deps: Pick<StorageDeps, 'files' | 'log'>,
  row: { version: string },
  error: unknown,
): Promise<never> {
  if (!(error instanceof DatabaseUnavailable)) await discard(deps, [row])
  throw error
}

/** Removed together, so that the transaction around them is short. */
const BATCH = 50

/**
 * Removes the bytes whose time is over: of objects that were replaced or deleted seven days ago, and of pictures that
 * were made of them. Several processes may do so at once. Returns how many files went.
 * Errors: those of the files; what was not removed then is tried again next time.
 */
export async function purgeRetiredBytes(db: Database, files: Files, now = new Date()): Promise<number> {
  for (let total = 0; ; ) {
    const count = await db.asOwner('bytes whose time is over', (tx) => purgeBatch(tx, files, now))
    if (count === 0) return total
    total += count
  }
}

async function purgeBatch(tx: Transaction, files: Files, now: Date): Promise<number> {
  const { rows } = await tx.query<{ version: string }>(
    `select version from storage.retired_bytes r where purge_after <= $1
       and not exists (select from storage.objects o where o.version = r.version)
     order by purge_after limit ${BATCH} for update skip locked`,
    [now.toISOString()],
  )
  const versions = JSON.stringify(rows.map(({ version }) => version))
  await tx.query(
    'delete from storage.image_variants where source in (select jsonb_array_elements_text($1::jsonb))',
    [versions],
  )
  // Bytes first: were the rows gone and the process dead, nobody would know of the bytes any more.
  await Promise.all(rows.map(({ version }) => files.remove(version)))
  await tx.query(
    'delete from storage.retired_bytes where version in (select jsonb_array_elements_text($1::jsonb))',
    [versions],
  )
  return rows.length
}
