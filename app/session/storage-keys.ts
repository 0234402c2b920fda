/** The names under which a session is kept in the browser. */
export const sessionKeys = {
  /** In local storage, written by the auth client alone. */
  session: 'walking-together-session',
  /** In local storage while the session is to end with the browser ("Remember me" was off). */
  untilClosed: 'session-until-closed',
  /** In session storage of every tab that has seen such a session. */
  seenHere: 'session-seen-here',
} as const

/** Whether a session may be stored here; whether it is still good only the auth client can tell. */
export function hasStoredSession(): boolean {
  try {
    return localStorage.getItem(sessionKeys.session) !== null
  } catch {
    return false
  }
}

/** The names under which this browser's local storage remembers what a reader chose. */
export const preferenceKeys = { theme: 'theme', view: 'view-mode', size: 'page-size' } as const
