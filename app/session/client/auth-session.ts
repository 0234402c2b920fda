import { type AuthChangeEvent, GoTrueClient, type Session } from '@supabase/auth-js'
import { href } from 'react-router'
import { toast } from '#app/ui/toast.tsx'
import {
  currentMember,
  hasStoredSession,
  type Member,
  type SecondFactor,
  sessionKeys,
  setCurrentUser,
} from '../current-user.tsx'
import type { SiteSettings } from '../site.ts'
import { factorsOf, syncCurrentUser } from './current-user-sync.ts'
import { type Library, type MemberAccess, memberLibrary } from './library.ts'

/** The session of this browser. One for each tab; the auth client keeps the tabs in step. */
export interface AuthSession {
  client: GoTrueClient
  /** With the member's token on every call. */
  fetch: typeof fetch
  library: Library
  /** Once it is known who reads: the library as the member sees it, or null. */
  access(): Promise<MemberAccess | null>
  /** Shows a change of the member's own data, in the other tabs too. */
  changeMember(change: Partial<Member>): void
  /** The second factors of the account, whether or not they have been given. */
  factors(): readonly SecondFactor[]
  /** Says how long the session that is about to begin shall last: for long, or until the browser is closed. */
  remember(forLong: boolean): void
  /** Ends the session in all tabs of this browser, with or without a network. */
  signOut(): Promise<void>
  /** The same, unless something is unsaved here and whoever is asked would rather stay. */
  logOut(): Promise<void>
}

interface Tokens {
  access_token: string
  refresh_token: string
}

/** Opens the stored session, or the one that a mailed link brought. */
export async function createAuthSession(
  settings: SiteSettings,
  tokens: Tokens | undefined,
): Promise<AuthSession> {
  await dropEndedSession()
  const client = createClient(settings)
  /** The session of the last event. Another tab's event may arrive before what that tab wrote to local storage. */
  let latest: Session | null = null
  let isLeaving = false
  const asMember = fetchAs(client, () => latest)
  const library = memberLibrary(settings, asMember)
  const currentUser = syncCurrentUser(library, tokens !== undefined)
  await openWith(client, tokens, (session, event) => {
    latest = session
    if (session && !session.user.is_anonymous) keepAlive()
    if (event === 'SIGNED_OUT' && currentMember() && !isLeaving) toast(LOGGED_OUT)
    currentUser.onAuthEvent(session, event)
  })
  const signOut = async () => {
    isLeaving = true
    await client.signOut({ scope: 'local' }).finally(() => {
      isLeaving = false
    })
  }
  return {
    client,
    fetch: asMember,
    library,
    async access() {
      await currentUser.known()
      const member = currentMember()
      return member && { member, library, settings, reads: 'all' }
    },
    changeMember: shareChanges(),
    factors: () => (latest ? factorsOf(latest.user) : []),
    remember: rememberSession,
    signOut,
    async logOut() {
      if (!(await mayLogOut())) return
      await signOut()
      toast('You are logged out.')
    },
  }
}

/** Starts the client; resolves once it has told about the session that there is, if there is one. */
async function openWith(
  client: GoTrueClient,
  tokens: Tokens | undefined,
  onAuthEvent: (session: Session | null, event: AuthChangeEvent) => void,
): Promise<void> {
  const hadSession = hasStoredSession()
  // Whoever links a provider comes back with a second session, which has shown less than the one that is here.
  if (tokens && hadSession && location.pathname === LINKING_PAGE) {
    await client.admin.signOut(tokens.access_token, 'local')
  } else if (tokens) await client.setSession(tokens)
  await new Promise<void>((started) => {
    client.onAuthStateChange((event, session) => {
      onAuthEvent(session, event)
      if (event !== 'INITIAL_SESSION') return
      if (hadSession && !hasStoredSession()) toast(LOGGED_OUT)
      started()
    })
  })
}

/** A change of the member's own data is shown at once, here and in the other tabs. */
function shareChanges(): AuthSession['changeMember'] {
  const tabs = new BroadcastChannel('walking-together-member')
  tabs.onmessage = ({ data }: MessageEvent<Member>) => {
    if (data.id === currentMember()?.id) setCurrentUser({ state: 'member', member: data })
  }
  return (change) => {
    const before = currentMember()
    if (!before) return
    const member = { ...before, ...change }
    setCurrentUser({ state: 'member', member })
    tabs.postMessage(member)
  }
}

const LINKING_PAGE = href('/profile/security')
const LOGGED_OUT = 'You have been logged out. Log in again to see your saved resources.'

const createClient = ({ apiUrl, publishableKey }: SiteSettings) =>
  new GoTrueClient({
    url: `${apiUrl}/auth/v1`,
    headers: { apikey: publishableKey, Authorization: `Bearer ${publishableKey}` },
    storageKey: sessionKeys.session,
    // Mailed links are read by auth-callback.ts, which leaves no token in the history.
    detectSessionInUrl: false,
    experimental: { recoveryCodes: true },
  })

/** Sends the member's token along. One that is refused is renewed once: this device's clock may be wrong. */
function fetchAs(client: GoTrueClient, latest: () => Session | null): typeof fetch {
  return async (input, init) => {
    // A heart that is pressed on the way out is saved all the same. Calls of functions are small enough for that.
    const keepalive = init?.method === 'POST' && String(input).includes('/rpc/')
    const send = (session: Session | null) => {
      const headers = new Headers(init?.headers)
      if (session) headers.set('Authorization', `Bearer ${session.access_token}`)
      return fetch(input, { ...init, headers, keepalive })
    }
    const answer = await send((await client.getSession()).data.session ?? latest())
    if (answer.status !== 401) return answer
    const { data } = await client.refreshSession()
    return data.session ? send(data.session) : answer
  }
}

/*
 * "Remember me" off: the session ends with the browser (docs/decisions/0009). It is kept in local storage all the same,
 * where all tabs share it. Tabs that know it leave a mark in their session storage and hold a shared lock as long as
 * they live. A tab that finds such a session without a mark of its own asks the browser whether anybody holds the lock.
 */

/** Says how long the session that is about to begin shall last. */
function rememberSession(forLong: boolean): void {
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
async function dropEndedSession(): Promise<void> {
  if (!endsWithBrowser() || sessionStorage.getItem(sessionKeys.seenHere) || (await isOpenElsewhere())) return
  localStorage.removeItem(sessionKeys.session)
  localStorage.removeItem(sessionKeys.untilClosed)
}

let isHolding = false

/** Marks this tab as one that keeps such a session alive. */
function keepAlive(): void {
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

/** Asked before somebody logs out; false means that they would rather stay. */
type LogoutQuestion = () => Promise<boolean>

const questions = new Set<LogoutQuestion>()

/** Has a question asked before every Logout in this tab, for as long as something here is unsaved. Returns how to stop. */
export function askBeforeLogout(question: LogoutQuestion): () => void {
  questions.add(question)
  return () => questions.delete(question)
}

/** Whether nothing here speaks against logging out, or whoever does it was asked and wants to. */
async function mayLogOut(): Promise<boolean> {
  for (const ask of questions) {
    if (!(await ask())) return false
  }
  return true
}
