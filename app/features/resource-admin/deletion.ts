import { findMember } from '#app/session/client/current-user-sync.ts'
import { currentMember } from '#app/session/current-user.ts'
import { openSession } from '#app/session/session.ts'

/**
 * Deletes a resource by its id (specification, section 7); the database keeps it for 30 days. Errors: the server
 * refused, did not answer, or has no such resource any more.
 * @param freesMedia its own files go when it goes for good
 */
export async function deleteResource(id: string, freesMedia: boolean): Promise<void> {
  const { library } = await openSession()
  const { error, count } = await library.from('resources').delete({ count: 'exact' }).eq('id', id)
  if (error || count === 0) throw error ?? new Error('nothing was deleted')
  if (freesMedia) await library.from('deleted_resources').update({ frees_media: true }).eq('id', id)
  await refreshOwnList()
}

/** Brings a deleted resource back, with everybody's lists. Returns what went wrong, in words; empty when it is back. */
export async function restoreResource(id: string): Promise<string> {
  const { library } = await openSession()
  const { error } = await library.rpc('restore_resource', { id })
  if (error)
    return spoken.has(error.code) ? `${error.message}.` : 'This could not be restored. Please try again.'
  await refreshOwnList()
  return ''
}

/** The database's own words are meant for people: gone for good, its id in use again, no admin any more. */
const spoken = new Set(['PT404', '23505', '42501'])

/** Deleting and restoring change saved lists, the admin's own among them. */
async function refreshOwnList(): Promise<void> {
  const { library, changeMember } = await openSession()
  const member = currentMember()
  const now = member && (await findMember(library, member.id))
  if (now) changeMember({ savedResources: now.savedResources })
}
