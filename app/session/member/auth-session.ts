import { type AuthChangeEvent, GoTrueClient, type Session } from '@supabase/auth-js'
import { toast } from '#app/ui/toast.tsx'
import { type Library, type MemberAccess, memberLibrary } from '../library-client.ts'
import { currentMember, type Member, setReader } from '../reader.ts'
import type { SecondFactor } from '../second-factor.ts'
import type { SiteSettings } from '../services.ts'
import { hasStoredSession, sessionKeys } from '../session-keys.ts'
import { followReader } from './follow-reader.ts'
import { dropEndedSession } from './remember.ts'
import { secondFactorsOf } from './second-step.ts'

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
  /** Ends the session in all tabs of this browser, with or without a network. */
  signOut(): Promise<void>
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
  let heard: Session | null = null
  let isLeaving = false
  const asMember = fetchAs(client, () => heard)
  const library = memberLibrary(settings, asMember)
  const reader = followReader(library, tokens !== undefined)
  await openWith(client, tokens, (session, event) => {
    heard = session
    if (event === 'SIGNED_OUT' && currentMember() && !isLeaving) toast(LOGGED_OUT)
    reader.hear(session, event)
  })
  return {
    client,
    fetch: asMember,
    library,
    async access() {
      await reader.known()
      const member = currentMember()
      return member && { member, library, settings, reads: 'all' }
    },
    changeMember: shareChanges(),
    factors: () => (heard ? secondFactorsOf(heard.user) : []),
    async signOut() {
      isLeaving = true
      await client.signOut({ scope: 'local' }).finally(() => {
        isLeaving = false
      })
    },
  }
}

/** Starts the client; resolves once it has told about the session that there is, if there is one. */
async function openWith(
  client: GoTrueClient,
  tokens: Tokens | undefined,
  hear: (session: Session | null, event: AuthChangeEvent) => void,
): Promise<void> {
  const hadSession = hasStoredSession()
  // Whoever links a provider comes back with a second session, which has shown less than the one that is here.
  if (tokens && hadSession && location.pathname === LINKING_PAGE) {
    await client.admin.signOut(tokens.access_token, 'local')
  } else if (tokens) await client.setSession(tokens)
  await new Promise<void>((started) => {
    client.onAuthStateChange((event, session) => {
      hear(session, event)
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
    if (data.id === currentMember()?.id) setReader({ state: 'member', member: data })
  }
  return (change) => {
    const before = currentMember()
    if (!before) return
    const member = { ...before, ...change }
    setReader({ state: 'member', member })
    tabs.postMessage(member)
  }
}

const LINKING_PAGE = '/profile/security'
const LOGGED_OUT = 'You have been logged out. Log in again to see your saved resources.'

const createClient = ({ apiUrl, publishableKey }: SiteSettings) =>
  new GoTrueClient({
    url: `${apiUrl}/auth/v1`,
    headers: { apikey: publishableKey, Authorization: `Bearer ${publishableKey}` },
    storageKey: sessionKeys.session,
    // Mailed links are read by arrival.ts, which leaves no token in the history.
    detectSessionInUrl: false,
    experimental: { recoveryCodes: true },
  })

/** Sends the member's token along. One that is refused is renewed once: this device's clock may be wrong. */
function fetchAs(client: GoTrueClient, heard: () => Session | null): typeof fetch {
  return async (input, init) => {
    // A heart that is pressed on the way out is saved all the same. Calls of functions are small enough for that.
    const keepalive = init?.method === 'POST' && String(input).includes('/rpc/')
    const send = (session: Session | null) => {
      const headers = new Headers(init?.headers)
      if (session) headers.set('Authorization', `Bearer ${session.access_token}`)
      return fetch(input, { ...init, headers, keepalive })
    }
    const answer = await send((await client.getSession()).data.session ?? heard())
    if (answer.status !== 401) return answer
    const { data } = await client.refreshSession()
    return data.session ? send(data.session) : answer
  }
}
