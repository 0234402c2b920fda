/** Text kept for as long as the browser tab lives. Reading never throws, and neither does writing. */
export interface SessionStore {
  read(key: string): string | null
  write(key: string, text: string): void
}

/**
 * Wraps the browser's storage so that a full, blocked or missing one only means that nothing is remembered.
 * @param open gives the storage; may throw, as `window.sessionStorage` itself does where cookies are blocked
 */
export function createSessionStore(open: () => Storage): SessionStore {
  return {
    read(key) {
      try {
        return open().getItem(key)
      } catch {
        return null
      }
    },
    write(key, text) {
      try {
        open().setItem(key, text)
      } catch {
        // Listening goes on; only the memory of it is lost.
      }
    },
  }
}

export const sessionStore = createSessionStore(() => window.sessionStorage)
