import { openSession } from '#app/session/session.ts'
import { saveFile } from './save-file.ts'

/** Saves all that is held about the member as a file. False when it could not be collected. */
export async function downloadData(): Promise<boolean> {
  const { library } = await openSession()
  const { data, error } = await library.rpc('export_account')
  if (error || !data) return false
  saveFile('walking-together-my-data.json', JSON.stringify(data, null, 2), 'application/json')
  return true
}
