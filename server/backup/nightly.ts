import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#server/config/config.ts'
import { openDatabase } from '#server/database/open.ts'
import type { Database } from '#server/database/port.ts'
import { localTimeZone } from '#server/jobs/housekeeping.ts'
import type { Jobs } from '#server/jobs/port.ts'
import { encodeArchive, isArchive, type Manifest } from './archive.ts'
import { openArchives } from './archives/open.ts'
import type { ArchivePlace, Archives, ListedArchive } from './archives/port.ts'
import { dump, type Source } from './dump.ts'
import { openSource } from './installation.ts'
import { verifyBackup } from './verify.ts'

const root = join(import.meta.dirname, '../..')
/** A library of many gigabytes on a slow disk. */
const MOST_SECONDS = 6 * 3600

/**
 * Has a backup made and verified every night, by one of the processes. It is done by a process of its own, so that the
 * service keeps its memory and its pace.
 */
export function scheduleNightlyBackup(jobs: Jobs, { backup: { at } }: Config, log: Logger): void {
  if (!at) return
  const when = {
    cron: `${at.minute} ${at.hour} * * *`,
    timeZone: localTimeZone(),
    expireInSeconds: MOST_SECONDS,
  }
  jobs.schedule('nightly-backup', when, async ({ signal }) => {
    const { code, said } = await runProcess(signal)
    if (code !== 0) throw new Error(said.trim() || `The backup ended with ${code}`)
    log.info('nightly backup verified')
  })
}

/** `npm run backup -- --nightly`, which finds the running database by itself. */
function runProcess(signal: AbortSignal): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'tools/backup.ts'), '--nightly'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
      killSignal: 'SIGTERM',
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-2000)
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, said }))
  })
}

/**
 * Makes a backup, verifies it by a restore, removes those that have had their time, and notes for the dashboard how it
 * went. Errors: what went wrong, which is noted too.
 */
export async function runNightlyBackup(config: Config, log: Logger): Promise<RunResult> {
  const source = await openSource(config, log)
  const db = await openDatabase({ kind: 'postgres', url: source.databaseUrl }, log)
  try {
    const id = await beginRun(db)
    const archives = await openArchives(config.backup.dir)
    const name = archiveName(new Date())
    let made: Made | undefined
    try {
      made = await makeBackup(source, { archives, name })
      const { onlyChecked } = await verifyBackup({ archives, name }, log)
      const result: RunResult = {
        ...factsOf(made, archives.describe(name)),
        outcome: onlyChecked ? 'checked' : 'verified',
        message: onlyChecked ?? '',
      }
      await endRun(db, id, result)
      return result
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      await endRun(db, id, {
        ...(made && factsOf(made, archives.describe(name))),
        outcome: 'failed',
        message,
      })
      throw error
    } finally {
      await removeOutlived(db, config, log)
    }
  } finally {
    await db.close()
    await source.close()
  }
}

const factsOf = ({ manifest, bytes }: Made, archive: string): Omit<RunResult, 'outcome'> => ({
  archive,
  bytes,
  resources:
    manifest.tables.find(({ schema, name }) => `${schema}.${name}` === 'public.resources')?.rows ?? 0,
  files: manifest.files.count,
  missingFiles: manifest.files.missing.length,
})

/** A place that cannot be listed or cleared is no reason to call tonight's backup a failure. */
async function removeOutlived(db: Database, { backup: { dir, keep } }: Config, log: Logger): Promise<void> {
  try {
    const [archives, verified] = [await openArchives(dir), await verifiedArchives(db)]
    for (const { name } of await outlived(archives, { keep, isVerified: (label) => verified.has(label) })) {
      await archives.remove(name)
      log.info({ archive: archives.describe(name) }, 'old backup removed')
    }
  } catch (error) {
    log.error({ err: error }, 'old backups could not be removed')
  }
}

/** How a nightly backup ended, and what there is to know about it. */
interface RunResult {
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
const verifiedArchives = (db: Database): Promise<Set<string>> =>
  db.asOwner('verified backups', async (tx) => {
    const { rows } = await tx.query<{ archive: string }>(
      `select archive from public.backup_runs where archive is not null and outcome in ('verified', 'checked')`,
    )
    return new Set(rows.map(({ archive }) => archive))
  })

/** An archive that was just written. */
interface Made {
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
async function outlived(
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
