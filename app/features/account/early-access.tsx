import { useSettings } from '#app/session/site.ts'
import { earlyAccessSubject } from './coming-soon-dialog.tsx'

/** Accounts are not open to everyone: how to be among the first. */
export function EarlyAccess() {
  const { contactEmail } = useSettings()
  return (
    <aside aria-labelledby="early-access" className="rounded-2xl bg-tint p-6 sm:p-8 lg:mt-3">
      <h2 id="early-access" className="text-2xl">
        Access is coming soon
      </h2>
      <p className="mt-3">Accounts are not open to everyone yet. To be among the first, write us a line:</p>
      <p className="mt-3">
        <a
          href={`mailto:${contactEmail}?subject=${earlyAccessSubject}`}
          className="inline-flex min-h-11 items-center font-semibold text-accent underline underline-offset-4"
        >
          {contactEmail}
        </a>
      </p>
      <p className="mt-3 text-muted">Reading and listening stay free, and need no account.</p>
    </aside>
  )
}
