import { redirect } from 'react-router'
import type { MemberAccess } from '#app/session/client/library.ts'
import { pendingMfa } from '#app/session/current-user.ts'
import { memberAccess, openSession } from '#app/session/session.ts'

/**
 * For client loaders of admin pages: the library as the admin sees it. Everybody else goes to / (section 6); admins whose
 * second factor is missing are asked for it, or to add one (ADMIN_REQUIRE_MFA), and then come back.
 */
export async function requireAdmin(): Promise<MemberAccess> {
  const access = await memberAccess()
  if (!access && pendingMfa()) throw redirect(`/login?${comingBack()}`)
  if (access?.member.role !== 'admin') throw redirect('/')
  // What cannot be found out is left to the database, which judges every call anyway.
  const { data: barrier } = await access.library.rpc('admin_access')
  if (barrier === 'enrol') throw redirect(`/profile/security?${comingBack()}`)
  if (barrier === 'verify') {
    // A factor was added elsewhere, of which this browser's session does not know yet.
    await (await openSession()).client.refreshSession()
    throw redirect(`/login?${comingBack()}`)
  }
  return access
}

const comingBack = () => new URLSearchParams({ next: location.pathname })
