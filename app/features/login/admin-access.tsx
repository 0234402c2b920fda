import { href, Link, redirect } from 'react-router'
import type { MemberAccess } from '#app/session/client/library.ts'
import { type AdminAccess, pendingMfa } from '#app/session/current-user.tsx'
import { memberAccess, openSession } from '#app/session/session.ts'
import { Notice, Page } from '#app/ui/page.tsx'

/**
 * For client loaders of admin pages: the library as the admin sees it. Everybody else goes to / (section 6); admins whose
 * second factor is missing are asked for it, or to add one (ADMIN_REQUIRE_MFA), and then come back.
 */
export async function requireAdmin(): Promise<MemberAccess> {
  const access = await memberAccess()
  if (!access && pendingMfa()) throw redirect(`${href('/login')}?${comingBack()}`)
  if (access?.member.role !== 'admin') throw redirect(href('/'))
  // What cannot be found out is left to the database, which judges every call anyway.
  const { data: barrier } = await access.library.rpc('admin_access')
  if (barrier === 'enrol') throw redirect(`${href('/profile/security')}?${comingBack()}`)
  if (barrier === 'verify') {
    // A factor was added elsewhere, of which this browser's session does not know yet.
    await (await openSession()).client.refreshSession()
    throw redirect(`${href('/login')}?${comingBack()}`)
  }
  return access
}

const comingBack = () => new URLSearchParams({ next: location.pathname })

/** The page of ours that `?next=` names; undefined for everything else, such as another site. */
export function nextPage(search: URLSearchParams): string | undefined {
  const wanted = search.get('next') ?? ''
  return /^\/(?![/\\])[\w\-/]*$/.test(wanted) ? wanted : undefined
}

/** What stands on an admin's page until it is known who reads it; without JavaScript that stays so. */
export const AdminGate = () => (
  <Page>
    <Notice title="One moment…">
      <p>This page is for admins.</p>
    </Notice>
  </Page>
)

/**
 * In the place of what an admin cannot do yet (ADMIN_REQUIRE_MFA): the way to the second step. Nothing for admins who
 * have given it, and for everybody else.
 */
export function MfaNeeded({ access }: { access: AdminAccess }) {
  if (access !== 'verify' && access !== 'enrol') return null
  return (
    <Link
      // The dashboard asks for a factor that is there, and then comes back to itself.
      to={access === 'enrol' ? `${href('/profile/security')}?next=${href('/admin')}` : href('/admin')}
      className="inline-flex min-h-11 items-center text-accent underline underline-offset-4"
    >
      {access === 'enrol'
        ? 'Add a second step to edit as an admin'
        : 'Give your second step to edit as an admin'}
    </Link>
  )
}
