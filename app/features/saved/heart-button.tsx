import { Heart } from 'lucide'
import { currentMember, useMember } from '#app/session/current-user.tsx'
import { openSession } from '#app/session/session.ts'
import { classes } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { toast } from '#app/ui/toast.tsx'

export interface HeartButtonProps {
  resource: { id: string; title: string }
  /** Says beside the heart what it does. */
  withWords?: boolean | undefined
}

/** The heart: its name stays the same, its state (pressed, filled) tells whether the resource is on the member's list. */
export function HeartButton({ resource: { id, title }, withWords = false }: HeartButtonProps) {
  const isSaved = useMember()?.savedResources.includes(id) ?? false
  return (
    <button
      type="button"
      aria-pressed={isSaved}
      aria-label={`Save ${title}`}
      title={isSaved ? 'Saved' : 'Save'}
      onClick={() => toggleSaved(id)}
      className={classes(
        'inline-flex min-h-11 min-w-11 cursor-pointer items-center justify-center gap-2 rounded-full border bg-surface text-accent transition-colors hover:border-accent',
        withWords ? 'border-edge px-5 font-semibold' : 'border-line',
      )}
    >
      <Icon icon={Heart} className={isSaved ? 'size-5 fill-current' : 'size-5'} />
      {withWords && 'Save'}
    </button>
  )
}

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

/** What the list needs from outside. */
interface SavedListPorts {
  /** The ids as they are known, while nothing is under way. */
  known: () => readonly string[]
  /** Saves or unsaves one on the server, which answers the whole list. */
  send: (id: string, save: boolean) => Promise<readonly string[]>
  /** Shows the ids, as they are or will be. */
  show: (ids: readonly string[]) => void
  /** The server refused, or did not answer: what was shown is taken back. */
  fail: (save: boolean) => void
}

/**
 * Saves at once on the screen, then on the server, one call after another. What was pressed last counts, however often
 * it was pressed meanwhile. The server's answer is the truth: what other tabs and devices saved shows up with it.
 */
export function createSavedList({ known, send, show, fail }: SavedListPorts) {
  const pending = new Map<string, boolean>()
  let confirmed: readonly string[] = []
  let working: Promise<void> | undefined

  const work = async () => {
    for (let next = first(pending); next; next = first(pending)) {
      const [id, save] = next
      try {
        confirmed = await send(id, save)
        if (pending.get(id) === save) pending.delete(id)
      } catch {
        pending.delete(id)
        fail(save)
      }
      show(withPending(confirmed, pending))
    }
    working = undefined
  }

  return {
    /** Saves what is not saved, and the other way round. Resolves when the server knows all of it. */
    toggle(id: string): Promise<void> {
      if (!working) confirmed = known()
      pending.set(id, !withPending(confirmed, pending).includes(id))
      show(withPending(confirmed, pending))
      working ??= work()
      return working
    },
  }
}

const first = (pending: Map<string, boolean>) => pending.entries().next().value

/** The list as it will be: every change that is under way comes true. */
export function withPending(ids: readonly string[], pending: ReadonlyMap<string, boolean>): string[] {
  const kept = ids.filter((id) => pending.get(id) !== false)
  const added = [...pending].filter(([id, save]) => save && !ids.includes(id)).map(([id]) => id)
  return [...kept, ...added]
}
