import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#server/config/config.ts'
import { openDatabase } from '#server/database/open.ts'
import type { Database } from '#server/database/port.ts'
import { localTimeZone } from '#server/jobs/housekeeping.ts'
import type { Jobs } from '#server/jobs/port.ts'
import { openArchives } from './archives/open.ts'
import { openSource } from './installation.ts'
import {
  archiveName,
  beginRun,
  endRun,
  type Made,
  makeBackup,
  outlived,
  type RunResult,
  verifiedArchives,
} from './runs.ts'
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
