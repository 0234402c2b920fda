import { toast } from '#app/ui/toast.tsx'
import { openSession } from '../session.ts'

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

/** Asked before somebody logs out; false means that they would rather stay. */
type LogoutQuestion = () => Promise<boolean>

const questions = new Set<LogoutQuestion>()

/** Has a question asked before every Logout in this tab, for as long as something here is unsaved. Returns how to stop. */
export function askBeforeLogout(question: LogoutQuestion): () => void {
  questions.add(question)
  return () => questions.delete(question)
}

/** Whether nothing here speaks against logging out, or whoever does it was asked and wants to. */
async function mayLogOut(): Promise<boolean> {
  for (const ask of questions) {
    if (!(await ask())) return false
  }
  return true
}
