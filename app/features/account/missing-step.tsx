import { Link } from 'react-router'
import type { AdminAccess } from '#app/session/current-user.ts'

/**
 * In the place of what an admin cannot do yet (ADMIN_REQUIRE_MFA): the way to the second step. Nothing for admins who
 * have given it, and for everybody else.
 */
export function MissingStep({ access }: { access: AdminAccess }) {
  if (access !== 'verify' && access !== 'enrol') return null
  return (
    <Link
      // The dashboard asks for a factor that is there, and then comes back to itself.
      to={access === 'enrol' ? '/profile/security?next=/admin' : '/admin'}
      className="inline-flex min-h-11 items-center text-accent underline underline-offset-4"
    >
      {access === 'enrol'
        ? 'Add a second step to edit as an admin'
        : 'Give your second step to edit as an admin'}
    </Link>
  )
}
