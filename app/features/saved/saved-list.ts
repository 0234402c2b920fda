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
  const wishes = new Map<string, boolean>()
  let truth: readonly string[] = []
  let working: Promise<void> | undefined

  const work = async () => {
    for (let next = first(wishes); next; next = first(wishes)) {
      const [id, save] = next
      try {
        truth = await send(id, save)
        if (wishes.get(id) === save) wishes.delete(id)
      } catch {
        wishes.delete(id)
        fail(save)
      }
      show(withWishes(truth, wishes))
    }
    working = undefined
  }

  return {
    /** Saves what is not saved, and the other way round. Resolves when the server knows all wishes. */
    toggle(id: string): Promise<void> {
      if (!working) truth = known()
      wishes.set(id, !withWishes(truth, wishes).includes(id))
      show(withWishes(truth, wishes))
      working ??= work()
      return working
    },
  }
}

const first = (wishes: Map<string, boolean>) => wishes.entries().next().value

/** The list as it will be: every wish comes true. */
export function withWishes(ids: readonly string[], wishes: ReadonlyMap<string, boolean>): string[] {
  const kept = ids.filter((id) => wishes.get(id) !== false)
  const added = [...wishes].filter(([id, save]) => save && !ids.includes(id)).map(([id]) => id)
  return [...kept, ...added]
}
