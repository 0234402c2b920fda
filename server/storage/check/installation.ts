import { SetupError } from '#server/config/env.ts'
import type { Database, Transaction } from '#server/database/port.ts'
import { FileMissing, type Files } from '#server/files/port.ts'

/** How many of the database's files are looked for in a place that bears no mark yet. */
const SAMPLE = 20
/** One lock for processes that start together: not every store writes a marker in one piece. */
const PLACE_LOCK = 7_240_119

const explain = {
  foreign:
    'The place that STORAGE_URL names belongs to another installation of Walking Together. Give each one a place of its own: another folder, another bucket, or another path within the bucket (s3://bucket/path).',
  strange:
    'The database names stored files, and none of them is in the place that STORAGE_URL names. Is STORAGE_URL the one that this installation was last started with? Nothing was changed. If the files are lost, "npm run storage -- check --repair --force" sets the rows aside that named them.',
}

/**
 * Makes sure that database and files belong together: both bear the installation's id. A place without a mark is marked
 * when it holds something of what the database names, or the database names nothing.
 * `force` marks a place where nothing is of what should be: its files are lost.
 * Errors: SetupError for a place of another installation, or one where nothing is of what should be.
 */
export async function agreeOnPlace(db: Database, files: Files, { force = false } = {}): Promise<void> {
  await db.asOwner('whose files are these?', async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [PLACE_LOCK])
    const { id, versions } = await readInstallation(tx)
    const marker = await files.readMarker()
    if (marker === id) return
    if (marker !== undefined) throw new SetupError(explain.foreign)
    if (!force && versions.length > 0 && !(await holdsAny(files, versions)))
      throw new SetupError(explain.strange)
    await files.writeMarker(id)
  })
}

async function readInstallation(tx: Transaction): Promise<{ id: string; versions: string[] }> {
  const { rows } = await tx.query<{ id: string; versions: string[] }>(
    `select id, array(select version from storage.objects where version is not null limit ${SAMPLE}) as versions
     from storage.installation`,
  )
  if (!rows[0]) throw new Error('storage.installation has no row')
  return rows[0]
}

async function holdsAny(files: Files, versions: readonly string[]): Promise<boolean> {
  for (const version of versions) {
    if (await isThere(files, version)) return true
  }
  return false
}

/** Whether bytes can be read. Errors: the place cannot be reached. */
export async function isThere(files: Files, version: string): Promise<boolean> {
  try {
    const bytes = await files.read(version)
    await bytes.cancel()
    return true
  } catch (error) {
    if (error instanceof FileMissing) return false
    throw error
  }
}
