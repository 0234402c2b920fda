import { LRUCache } from 'lru-cache'

/** Each holds its plan in the engine's memory, some tens of kilobytes. */
const KEPT = 60

/** Statements that the engine knows by name, so that it need not read and plan them again. */
export interface PreparedStatements {
  /**
   * The name for a statement, and whether the engine knows it already. `settle` must follow: it keeps the name if the
   * engine took the statement, and else gives it back.
   */
  take(text: string): { name: string; isKnown: boolean; settle(succeeded: boolean): void }
}

/** Names are used again when a statement was not asked for in a long time, so that the engine never holds more. */
export function preparedStatements(kept = KEPT): PreparedStatements {
  const free: string[] = []
  const known = new LRUCache<string, string>({ max: kept, dispose: (name) => free.push(name) })
  let made = 0
  return {
    take(text) {
      const name = known.get(text)
      if (name !== undefined) return { name, isKnown: true, settle: () => undefined }
      // Taken out at once: two statements on their way must never share a name.
      const fresh = free.pop() ?? `kept_${++made}`
      return {
        name: fresh,
        isKnown: false,
        settle: (succeeded) => {
          if (succeeded) known.set(text, fresh)
          else free.push(fresh)
        },
      }
    },
  }
}
