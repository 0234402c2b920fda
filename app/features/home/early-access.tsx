import { ButtonLink } from '#app/ui/button.tsx'
import { containerClass } from '#app/ui/page.tsx'

/** Accounts are not open to everyone yet; says so before anybody looks for them. */
export function EarlyAccess() {
  return (
    <section aria-labelledby="early-access" className="visitors-only bg-tint">
      <div
        className={`${containerClass} flex flex-wrap items-center justify-between gap-x-16 gap-y-6 py-12 md:py-16`}
      >
        <div className="max-w-2xl">
          <h2 id="early-access" className="text-2xl">
            Member accounts are coming soon
          </h2>
          <p className="mt-2 text-muted">
            With one you can save what helped and see the resources that are kept for members. Reading and
            listening stay free and need no account.
          </p>
        </div>
        <ButtonLink to="/login" look="secondary">
          Request early access
        </ButtonLink>
      </div>
    </section>
  )
}
