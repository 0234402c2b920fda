import type { SiteSettings } from '#app/session/services.ts'
import { timeAgo } from '#domain/time-ago.ts'
import { bytesLabel } from './bytes.ts'

/** A nightly backup, as the database notes it. */
export interface BackupRun {
  started_at: string
  outcome: 'running' | 'verified' | 'checked' | 'failed'
  bytes: number | null
  resources: number | null
  files: number | null
  missing_files: number | null
  message: string
}

export interface BackupState {
  /** danger: somebody should do something. */
  tone: 'danger' | 'note'
  lines: string[]
}

const TWO_DAYS_MS = 2 * 86_400_000

/**
 * What an admin must know about the backups: the last one that was restored on trial, and whether to worry.
 * @param runs newest first
 * @param now milliseconds since 1970
 */
export function backupState(
  mode: SiteSettings['backups'],
  runs: readonly BackupRun[],
  now: number,
): BackupState {
  if (mode === 'hosted')
    return {
      tone: 'note',
      lines: [
        'Supabase makes the backups of this project: see Database, Backups in its dashboard. Files are not in them.',
      ],
    }
  if (mode === 'off')
    return { tone: 'danger', lines: ['Nightly backups are turned off (BACKUP_AT).', ...lastGood(runs, now)] }
  const [last] = runs.filter(({ outcome }) => outcome !== 'running')
  if (!last) return { tone: 'note', lines: ['The first backup is made tonight.'] }
  const good = lastGood(runs, now)
  if (last.outcome === 'failed')
    return {
      tone: 'danger',
      lines: [`The last backup failed ${timeAgo(last.started_at, now)}: ${last.message}`, ...good],
    }
  if (now - Date.parse(last.started_at) > TWO_DAYS_MS)
    return { tone: 'danger', lines: ['There has been no backup for more than two days.', ...good] }
  return { tone: last.missing_files ? 'danger' : 'note', lines: good }
}

/** The last one that is known to be well, how old and how large it is. */
function lastGood(runs: readonly BackupRun[], now: number): string[] {
  const run = runs.find(({ outcome }) => outcome === 'verified' || outcome === 'checked')
  if (!run) return ['No backup has been restored on trial yet.']
  const holds = `${count(run.resources, 'resource')}, ${count(run.files, 'file')}, ${bytesLabel(run.bytes ?? 0)}`
  return [
    run.outcome === 'verified'
      ? `Last verified restore: ${timeAgo(run.started_at, now)} (${holds}).`
      : `Last backup: ${timeAgo(run.started_at, now)} (${holds}). It was checked, not restored: ${run.message}`,
    ...(run.missing_files
      ? [
          `${count(run.missing_files, 'file')} could not be backed up: the library names what the store does not have.`,
        ]
      : []),
  ]
}

const count = (number: number | null, what: string): string =>
  number === 1 ? `1 ${what}` : `${(number ?? 0).toLocaleString('en')} ${what}s`
