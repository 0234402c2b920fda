import { useSettings } from '#app/session/use-settings.ts'
import { Banner } from '#app/ui/banner.tsx'
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
      {state?.tone === 'danger' && (
        <Banner tone="danger" className="mt-3">
          <Lines lines={state.lines} />
        </Banner>
      )}
      {state?.tone === 'note' && (
        <div className="mt-3">
          <Lines lines={state.lines} />
        </div>
      )}
    </section>
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <div className="space-y-2">
    {lines.map((line) => (
      <p key={line} className="wrap-anywhere">
        {line}
      </p>
    ))}
  </div>
)
