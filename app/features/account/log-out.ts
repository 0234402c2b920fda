import { openSession } from '#app/session/session.ts'
import { announce } from '#app/ui/announcement.tsx'

/** Ends this browser's session, in all its tabs. The session goes even when the service cannot be told. */
export async function logOut(): Promise<void> {
  const session = await openSession()
  await session.signOut()
  announce('You are logged out.')
}
