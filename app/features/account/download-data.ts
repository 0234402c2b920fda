import { openSession } from '#app/session/session.ts'

/** Saves all that is held about the member as a file. False when it could not be collected. */
export async function downloadData(): Promise<boolean> {
  const { library } = await openSession()
  const { data, error } = await library.rpc('export_account')
  if (error || !data) return false
  const file = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = 'walking-together-my-data.json'
  link.click()
  // The browser has taken the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  return true
}
