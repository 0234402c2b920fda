import { sessionKeys } from '../session-keys.ts'

/*
 * "Remember me" off: the session ends with the browser (docs/decisions/0009). It is kept in local storage all the same,
 * where all tabs share it. Tabs that know it leave a mark in their session storage and hold a shared lock as long as
 * they live. A tab that finds such a session without a mark of its own asks the browser whether anybody holds the lock.
 */

/** Says how long the session that is about to begin shall last. */
export function rememberSession(forLong: boolean): void {
  if (!canStore()) return
  if (forLong) localStorage.removeItem(sessionKeys.untilClosed)
  else localStorage.setItem(sessionKeys.untilClosed, 'true')
}

/** Where storage is forbidden the auth client keeps the session in memory, for as long as the page lives. */
function canStore(): boolean {
  try {
    return Boolean(localStorage && sessionStorage)
  } catch {
    return false
  }
}

const endsWithBrowser = () => canStore() && localStorage.getItem(sessionKeys.untilClosed) !== null

/** At the start of a tab: drops a session that should have ended with the browser. */
export async function dropEndedSession(): Promise<void> {
  if (!endsWithBrowser() || sessionStorage.getItem(sessionKeys.seenHere) || (await isOpenElsewhere())) return
  localStorage.removeItem(sessionKeys.session)
  localStorage.removeItem(sessionKeys.untilClosed)
}

let isHolding = false

/** Marks this tab as one that keeps such a session alive. */
export function keepAlive(): void {
  if (!endsWithBrowser()) return
  sessionStorage.setItem(sessionKeys.seenHere, 'true')
  if (isHolding || !navigator.locks) return
  isHolding = true
  // Held for ever: the browser lets go of it when the tab is closed.
  navigator.locks.request(sessionKeys.untilClosed, { mode: 'shared' }, () => new Promise(() => undefined))
}

/** Browsers have locks on https and localhost only; elsewhere each tab has its own session. */
async function isOpenElsewhere(): Promise<boolean> {
  const { held } = (await navigator.locks?.query()) ?? {}
  return held?.some(({ name }) => name === sessionKeys.untilClosed) ?? false
}
