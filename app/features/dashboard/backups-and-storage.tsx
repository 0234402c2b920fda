import type { SiteSettings } from '#app/session/site.ts'
import { useSettings } from '#app/session/site.ts'
import { Banner } from '#app/ui/page.tsx'
import { timeAgo } from '#domain/time-ago.ts'
import type { BackupRun, BucketUsage } from './read-dashboard.ts'

/** Whether the library could be brought back, and from when. @param runs null when they could not be loaded */
export function Backups({ runs }: { runs: readonly BackupRun[] | null }) {
  const { backups } = useSettings()
  const state = runs && backupState(backups, runs, Date.now())
  return (
    <section aria-labelledby="backups">
      <h2 id="backups" className="text-2xl">
        Backups
      </h2>
      {!state && <p className="mt-3 text-muted">This could not be loaded. Please reload the page.</p>}
      {state && state.problems.length > 0 && (
        <Banner tone="danger" className="mt-4">
          <div className="space-y-2">
            {state.problems.map((problem) => (
              <p key={problem} className="wrap-anywhere">
                {problem}
              </p>
            ))}
          </div>
        </Banner>
      )}
      {state && state.facts.length > 0 && (
        <dl className="mt-3 divide-y divide-line tabular-nums">
          {state.facts.map(({ label, value }) => (
            <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5">
              <dt className="font-semibold">{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {state?.notes.map((note) => (
        <p key={note} className="mt-3 text-muted wrap-anywhere">
          {note}
        </p>
      ))}
    </section>
  )
}

interface BackupState {
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

const names: Readonly<Record<string, string>> = { images: 'Pictures', audio: 'Recordings' }

/** How much the files take, bucket by bucket. @param usage null when it could not be loaded */
export const StorageInUse = ({ usage }: { usage: readonly BucketUsage[] | null }) => (
  <section aria-labelledby="storage-in-use">
    <h2 id="storage-in-use" className="text-2xl">
      Storage in use
    </h2>
    {usage === null && <p className="mt-3 text-muted">This could not be loaded. Please reload the page.</p>}
    {usage?.length === 0 && <p className="mt-3 text-muted">There are no pictures and no recordings yet.</p>}
    <dl className="mt-3 divide-y divide-line tabular-nums">
      {usage?.map(({ bucket, files, bytes }) => (
        <div key={bucket} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5">
          <dt className="font-semibold">{names[bucket] ?? bucket}</dt>
          <dd>
            {bytesLabel(bytes)}
            <span className="text-muted">
              {' '}
              in {files === 1 ? '1 file' : `${files.toLocaleString('en')} files`}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  </section>
)

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** "4.2 MB" for a number of bytes, in steps of 1024 as the limits of uploads are told. */
export function bytesLabel(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** step
  return `${step === 0 || amount >= 100 ? Math.round(amount) : Number(amount.toFixed(1))} ${units[step]}`
}
