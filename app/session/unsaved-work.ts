/** Asked before somebody logs out; false means that they would rather stay. */
type LogoutQuestion = () => Promise<boolean>

const questions = new Set<LogoutQuestion>()

/** Has a question asked before every Logout in this tab, for as long as something here is unsaved. Returns how to stop. */
export function askBeforeLogout(question: LogoutQuestion): () => void {
  questions.add(question)
  return () => questions.delete(question)
}

/** Whether nothing here speaks against logging out, or whoever does it was asked and wants to. */
export async function mayLogOut(): Promise<boolean> {
  for (const ask of questions) {
    if (!(await ask())) return false
  }
  return true
}
