import type { Database } from '#server/database/port.ts'
import { encodeArchive, isArchive } from './archive.ts'
import type { ArchivePlace, Archives, ListedArchive } from './archives/port.ts'
import { dump, type Source } from './dump.ts'
import type { Manifest } from './manifest.ts'

/** How a nightly backup ended, and what there is to know about it. */
export interface RunResult {
  outcome: 'verified' | 'checked' | 'failed'
  archive?: string
  bytes?: number
  resources?: number
  files?: number
  missingFiles?: number
  message?: string
}

const KEEP_DAYS = 90

/** Notes that a backup has begun, and closes those that nobody will end any more. Returns its id. */
export const beginRun = (db: Database): Promise<string> =>
  db.asOwner('a backup begins', async (tx) => {
    await tx.query(
      `update public.backup_runs set outcome = 'failed', ended_at = now(), message = 'The process ended in the middle of it.'
       where outcome = 'running'`,
    )
    await tx.query('delete from public.backup_runs where started_at < now() - make_interval(days => $1)', [
      KEEP_DAYS,
    ])
    const { rows } = await tx.query<{ id: string }>(
      'insert into public.backup_runs default values returning id',
    )
    return rows[0]?.id ?? ''
  })

export const endRun = (db: Database, id: string, result: RunResult): Promise<unknown> =>
  db.asOwner('a backup ends', (tx) =>
    tx.query(
      `update public.backup_runs set ended_at = now(), outcome = $2, archive = $3, bytes = $4, resources = $5, files = $6,
         missing_files = $7, message = $8
       where id = $1`,
      [
        id,
        result.outcome,
        result.archive ?? null,
        result.bytes ?? null,
        result.resources ?? null,
        result.files ?? null,
        result.missingFiles ?? null,
        result.message ?? '',
      ],
    ),
  )

/** The archives that were found to be well, as they are called in their place. */
export const verifiedArchives = (db: Database): Promise<Set<string>> =>
  db.asOwner('verified backups', async (tx) => {
    const { rows } = await tx.query<{ archive: string }>(
      `select archive from public.backup_runs where archive is not null and outcome in ('verified', 'checked')`,
    )
    return new Set(rows.map(({ archive }) => archive))
  })

/** An archive that was just written. */
export interface Made {
  manifest: Manifest
  bytes: number
}

/** The name of an archive of that moment: sorted by name is sorted by time. */
export const archiveName = (at: Date, why = ''): string =>
  `walking-together-${why && `${why}-`}${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.tar`

/**
 * Writes an archive of everything, while the service runs or when it is stopped. Needs some 30 MB of memory, whatever the
 * size. Errors: ArchiveNotWritten, DatabaseUnavailable, and what files may throw; then nothing is left in the place.
 */
export async function makeBackup(source: Source, { archives, name }: ArchivePlace): Promise<Made> {
  let manifest: Manifest | undefined
  let bytes = 0
  const pieces = dump(source, (made) => {
    manifest = made
  })
  await archives.write(
    name,
    counted(encodeArchive(pieces), (length) => (bytes += length)),
  )
  if (!manifest) throw new Error('An archive was written without its manifest')
  return { manifest, bytes }
}

async function* counted(bytes: AsyncIterable<Uint8Array>, count: (length: number) => void) {
  for await (const chunk of bytes) {
    count(chunk.length)
    yield chunk
  }
}

/** Those of the nightly job; what somebody made by hand has another name, or stays with it. */
const NIGHTLY = /^walking-together-\d{8}T\d{6}Z\.tar$/

/**
 * The archives that have had their time: the newest `keep` of the verified ones stay, and as many of the others, which may
 * be the ones that are needed after all. Only archives that call themselves ours are named.
 */
export async function outlived(
  archives: Archives,
  { keep, isVerified }: { keep: number; isVerified: (label: string) => boolean },
): Promise<ListedArchive[]> {
  const newestFirst = (await archives.list())
    .filter(({ name }) => NIGHTLY.test(name))
    .sort((a, b) => (a.name < b.name ? 1 : -1))
  const verified = newestFirst.filter(({ name }) => isVerified(archives.describe(name)))
  const others = newestFirst.filter((one) => !verified.includes(one))
  const old = [...verified.slice(keep), ...others.slice(keep)]
  const ours: ListedArchive[] = []
  for (const archive of old) {
    if (await isArchive(await archives.read(archive.name))) ours.push(archive)
  }
  return ours
}
