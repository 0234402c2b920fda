import type { SiteSettings } from '#app/session/site.ts'
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
  /** Somebody should do something: what happened, and what to do. */
  problems: string[]
  /** Good to know. */
  notes: string[]
  /** What there is of the last one that is known to be well. */
  facts: { label: string; value: string }[]
}

const TWO_DAYS_MS = 2 * 86_400_000
const MAKE_ONE = '“npm run backup” on the server makes one now.'

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
  if (mode === 'hosted') return { problems: [], notes: [HOSTED], facts: [] }
  const [last] = runs.filter(({ outcome }) => outcome !== 'running')
  const good = lastGood(runs, now)
  const problems = [...worry(mode, last, now), ...good.problems]
  if (!last && mode === 'nightly')
    return { problems, notes: ['The first backup is made tonight.'], facts: [] }
  return { ...good, problems }
}

const HOSTED =
  'Supabase makes the backups of this project: see Database, Backups in its dashboard. Pictures and recordings are not in them; keep a copy of those yourself.'

/** Why the next morning may not have a backup. */
function worry(mode: SiteSettings['backups'], last: BackupRun | undefined, now: number): string[] {
  if (mode === 'off')
    return ['Nightly backups are turned off. Setting BACKUP_AT, for example to 03:30, turns them on.']
  if (last?.outcome === 'failed')
    return [
      `The last backup failed ${timeAgo(last.started_at, now)}: ${last.message}`,
      `The next one is tried tonight; ${MAKE_ONE}`,
    ]
  if (last && now - Date.parse(last.started_at) > TWO_DAYS_MS)
    return ['There has been no backup for more than two days.', MAKE_ONE]
  return []
}

/** The last one that is known to be well, how old and how large it is. */
function lastGood(runs: readonly BackupRun[], now: number): BackupState {
  const run = runs.find(({ outcome }) => outcome === 'verified' || outcome === 'checked')
  if (!run) return { problems: [], notes: ['No backup has been restored on trial yet.'], facts: [] }
  const isVerified = run.outcome === 'verified'
  return {
    problems: run.missing_files
      ? [
          `${count(run.missing_files, 'file')} could not be backed up: the library names what the store does not have.`,
        ]
      : [],
    notes: isVerified ? [] : [`It was checked, not restored on trial: ${run.message}`],
    facts: [
      { label: isVerified ? 'Last verified restore' : 'Last backup', value: timeAgo(run.started_at, now) },
      { label: 'What is in it', value: `${count(run.resources, 'resource')}, ${count(run.files, 'file')}` },
      { label: 'Size', value: bytesLabel(run.bytes ?? 0) },
    ],
  }
}

const count = (number: number | null, what: string): string =>
  number === 1 ? `1 ${what}` : `${(number ?? 0).toLocaleString('en')} ${what}s`
