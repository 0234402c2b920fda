import { currentMember } from '#app/session/current-user.tsx'
import { openSession } from '#app/session/session.ts'
import { toast } from '#app/ui/toast.tsx'
import { createSavedList } from './saved-list.ts'

/** Adds one id to the member's list, or takes it away: so two tabs cannot overwrite each other's. Errors: refused. */
async function send(id: string, save: boolean): Promise<readonly string[]> {
  const { library } = await openSession()
  const { data, error } = await library.rpc(save ? 'save_resource' : 'unsave_resource', { resource_id: id })
  if (error || !data) throw error ?? new Error('there is no profile to save in')
  return data
}

const list = createSavedList({
  known: () => currentMember()?.savedResources ?? [],
  send,
  show: async (savedResources) => (await openSession()).changeMember({ savedResources }),
  fail: (save) =>
    toast(
      save ? 'This could not be saved. Please try again.' : 'This could not be removed. Please try again.',
    ),
})

/** Saves a resource for the member, or takes it off their list. */
export const toggleSaved = list.toggle
