/** What a mailed link brought along in the fragment of the address (protocol: GET /verify). */
export interface Arrival {
  tokens?: { access_token: string; refresh_token: string }
  /** Why the link did not work, in the service's words. */
  problem?: string
  /** What else it had to say, for example that a second mailbox must confirm. */
  message?: string
}

/** Reads a fragment; null when it brings nothing of ours. */
export function readArrival(hash: string): Arrival | null {
  const parts = new URLSearchParams(hash.replace(/^#/, ''))
  const [access_token, refresh_token] = [parts.get('access_token'), parts.get('refresh_token')]
  if (access_token && refresh_token) return { tokens: { access_token, refresh_token } }
  const problem = parts.get('error_description') ?? parts.get('error')
  if (problem) return { problem }
  const message = parts.get('message')
  return message && parts.has('sb') ? { message } : null
}

let arrival: Arrival | null = null

/** What the link brought that opened this page. */
export const arrivedWith = (): Arrival | null => arrival

/**
 * Takes what a mailed link brought out of the address, before the router reads it: tokens must not stay in the history.
 * Pages that cannot say what went wrong hand over to the login page.
 */
export function takeArrival(): void {
  arrival = readArrival(location.hash)
  if (!arrival) return
  if (!arrival.tokens && !speakingPages.has(location.pathname)) location.replace(`/login${location.hash}`)
  else history.replaceState(history.state, '', location.pathname + location.search)
}

const speakingPages = new Set(['/login', '/reset-password'])
