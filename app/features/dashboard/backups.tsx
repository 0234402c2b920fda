import { useSettings } from '#app/session/site.ts'
import { Banner } from '#app/ui/page.tsx'
import { type BackupRun, backupState } from './backup-state.ts'

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
