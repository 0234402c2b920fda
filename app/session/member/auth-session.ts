import { type AuthChangeEvent, GoTrueClient, type Session } from '@supabase/auth-js'
import { announce } from '#app/ui/announcement.tsx'
import { canReceive } from '../arrival.ts'
import { type Library, type MemberAccess, memberLibrary } from '../library-client.ts'
import { currentMember, type Member, setReader } from '../reader.ts'
import type { SecondFactor } from '../second-factor.ts'
import type { SiteSettings } from '../services.ts'
import { hasStoredSession, sessionKeys } from '../session-keys.ts'
import { dropDrafts } from './draft-keys.ts'
import { forgetKept, keptMember } from './kept.ts'
import { findMember, memberOf } from './member-profile.ts'
import { dropEndedSession, keepAlive } from './remember.ts'
import { missingStep, secondFactorsOf } from './second-step.ts'

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

/** Opens the stored session, or the one that a mailed link brought. */
export async function createAuthSession(
  settings: SiteSettings,
  tokens: { access_token: string; refresh_token: string } | undefined,
): Promise<AuthSession> {
  await dropEndedSession()
  const hadSession = hasStoredSession()
  const client = createClient(settings)
  const asMember = fetchAs(client, () => heard)
  const library = memberLibrary(settings, asMember)
  const tabs = new BroadcastChannel('walking-together-member')
  let isLeaving = false
  /** The session of the last event. Another tab's event may arrive before what that tab wrote to local storage. */
  let heard: Session | null = null
  let followed: string | undefined
  let following: Promise<void> = Promise.resolve()

  const follow = async (session: Session | null, event: AuthChangeEvent) => {
    if (!session) {
      // Offline with an expired token there is no session to be had, but it is still stored: nothing is known yet.
      if (event === 'SIGNED_OUT' || !hasStoredSession()) {
        setReader({ state: 'visitor' })
        await forgetKept()
      }
      return
    }
    keepAlive()
    const owes = missingStep(session)
    if (owes) {
      setReader({ state: 'visitor', owes })
      // A mailed link may lead anywhere; what is missing is asked for on a page that can.
      if (tokens && !canReceive(location.pathname)) location.assign('/login')
      return
    }
    await forgetKept(session.user.id)
    const member =
      (await findMember(library, session.user.id)) ?? (await keptMember()) ?? memberOf(session.user)
    // Somebody may have signed out, or in as another, while the profile was on its way.
    if (followed === standing(session)) setReader({ state: 'member', member })
  }

  // Whoever links a provider comes back with a second session, which has shown less than the one that is here.
  if (tokens && hadSession && location.pathname === LINKING_PAGE) {
    await client.admin.signOut(tokens.access_token, 'local')
  } else if (tokens) await client.setSession(tokens)
  await new Promise<void>((started) => {
    client.onAuthStateChange((event, session) => {
      heard = session
      if (event === 'SIGNED_OUT' && currentMember() && !isLeaving) announce(LOGGED_OUT)
      const found = session ? standing(session) : undefined
      if (!session || found !== followed || event === 'USER_UPDATED') {
        followed = found
        following = follow(session, event)
      }
      if (event !== 'INITIAL_SESSION') return
      if (hadSession && !hasStoredSession()) announce(LOGGED_OUT)
      started()
    })
  })
  tabs.onmessage = ({ data }: MessageEvent<Member>) => {
    if (data.id === currentMember()?.id) setReader({ state: 'member', member: data })
  }

  return {
    client,
    fetch: asMember,
    library,
    async access() {
      await following
      const member = currentMember()
      return member && { member, library, settings, reads: 'all' }
    },
    changeMember(change) {
      const before = currentMember()
      if (!before) return
      const member = { ...before, ...change }
      setReader({ state: 'member', member })
      tabs.postMessage(member)
    },
    factors: () => (heard ? secondFactorsOf(heard.user) : []),
    async signOut() {
      isLeaving = true
      dropDrafts(currentMember()?.id ?? '')
      await client.signOut({ scope: 'local' }).finally(() => {
        isLeaving = false
      })
    },
  }
}

/** Who it is, and whether they have shown all that their account asks for. */
const standing = (session: Session) => `${session.user.id} ${missingStep(session) ? 'owes' : 'full'}`

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
    const send = (session: Session | null) => {
      const headers = new Headers(init?.headers)
      if (session) headers.set('Authorization', `Bearer ${session.access_token}`)
      return fetch(input, { ...init, headers })
    }
    const answer = await send((await client.getSession()).data.session ?? heard())
    if (answer.status !== 401) return answer
    const { data } = await client.refreshSession()
    return data.session ? send(data.session) : answer
  }
}
