import type { AuthChangeEvent, Session } from '@supabase/auth-js'
import { canReceive } from '../arrival.ts'
import type { Library } from '../library-client.ts'
import { setReader } from '../reader.ts'
import { hasStoredSession } from '../session-keys.ts'
import { forgetKept, keptMember } from './kept.ts'
import { findMember, memberOf } from './member-profile.ts'
import { keepAlive } from './remember.ts'
import { assuranceOf, missingStep } from './second-step.ts'

interface Follower {
  /** Somebody else, or the same with more or less rights, is another reader; anything else changes nothing. */
  hear(session: Session | null, event: AuthChangeEvent): void
  /** Once it is known who reads. */
  known(): Promise<void>
}

/** Keeps up who reads the page with what the auth client tells. @param cameByLink a mailed link brought the session */
export function followReader(library: Library, cameByLink: boolean): Follower {
  let followed: string | undefined
  let following: Promise<void> = Promise.resolve()

  const showMember = async (session: Session) => {
    keepAlive()
    const owes = missingStep(session)
    if (owes) {
      setReader({ state: 'visitor', owes })
      // A mailed link may lead anywhere; what is missing is asked for on a page that can.
      if (cameByLink && !canReceive(location.pathname)) location.assign('/login')
      return
    }
    const { user } = session
    await forgetKept(user.id)
    const member = (await findMember(library, user.id)) ?? (await keptMember()) ?? memberOf(user)
    // Somebody may have signed out, or in as another, while the profile was on its way.
    if (followed === standing(session)) setReader({ state: 'member', member })
  }

  return {
    hear(session, event) {
      const found = session ? standing(session) : undefined
      if (session && found === followed && event !== 'USER_UPDATED') return
      followed = found
      // Nobody has an account by an anonymous session: the database treats it as a visitor too.
      following =
        session && !session.user.is_anonymous ? showMember(session) : showVisitor(event, session !== null)
    },
    known: () => following,
  }
}

/** Offline with an expired token there is no session to be had, but it is still stored: nothing is known yet. */
async function showVisitor(event: AuthChangeEvent, isAnonymous: boolean): Promise<void> {
  if (event !== 'SIGNED_OUT' && !isAnonymous && hasStoredSession()) return
  setReader({ state: 'visitor' })
  await forgetKept()
}

/** Who it is, and whether they have shown all that their account asks for. */
const standing = (session: Session) =>
  `${session.user.id} ${missingStep(session) ? 'owes' : assuranceOf(session.access_token)}`
