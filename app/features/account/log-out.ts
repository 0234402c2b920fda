import { openSession } from '#app/session/session.ts'
import { mayLogOut } from '#app/session/unsaved-work.ts'
import { toast } from '#app/ui/toast.tsx'

/**
 * Ends this browser's session, in all its tabs, unless something is unsaved here and whoever is asked would rather stay.
 * The session goes even when the service cannot be told.
 */
export async function logOut(): Promise<void> {
  if (!(await mayLogOut())) return
  const session = await openSession()
  await session.signOut()
  toast('You are logged out.')
}
