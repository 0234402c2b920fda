import type { AuthChangeEvent, Factor, Session, User } from '@supabase/auth-js'
import { href } from 'react-router'
import { canShowCallback } from '../auth-callback.ts'
import {
  type AdminAccess,
  hasStoredSession,
  type Member,
  type SecondFactor,
  setCurrentUser,
} from '../current-user.tsx'
import type { Library } from './library.ts'
import { cachedMember, purgeOfflineCache } from './offline-cache.ts'

interface CurrentUserSync {
  /** Somebody else, or the same with more or less rights, is another current user; anything else changes nothing. */
  onAuthEvent(session: Session | null, event: AuthChangeEvent): void
  /** Once it is known who reads. */
  known(): Promise<void>
}

/** Keeps the current user in step with what the auth client tells. @param cameByLink a mailed link brought the session */
export function syncCurrentUser(library: Library, cameByLink: boolean): CurrentUserSync {
  let shown: string | undefined
  let showing: Promise<void> = Promise.resolve()

  const showMember = async (session: Session) => {
    const pendingMfa = missingMfa(session)
    if (pendingMfa) {
      setCurrentUser({ state: 'visitor', pendingMfa })
      // A mailed link may lead anywhere; what is missing is asked for on a page that can.
      if (cameByLink && !canShowCallback(location.pathname)) location.assign(href('/login'))
      return
    }
    const { user } = session
    await purgeOfflineCache(user.id)
    const member = (await findMember(library, user.id)) ?? (await cachedMember()) ?? memberOf(user)
    // Somebody may have signed out, or in as another, while the profile was on its way.
    if (shown === standing(session)) setCurrentUser({ state: 'member', member })
  }

  return {
    onAuthEvent(session, event) {
      const found = session ? standing(session) : undefined
      if (session && found === shown && event !== 'USER_UPDATED') return
      shown = found
      // Nobody has an account by an anonymous session: the database treats it as a visitor too.
      showing =
        session && !session.user.is_anonymous ? showMember(session) : showVisitor(event, session !== null)
    },
    known: () => showing,
  }
}

/** Offline with an expired token there is no session to be had, but it is still stored: nothing is known yet. */
async function showVisitor(event: AuthChangeEvent, isAnonymous: boolean): Promise<void> {
  if (event !== 'SIGNED_OUT' && !isAnonymous && hasStoredSession()) return
  setCurrentUser({ state: 'visitor' })
  await purgeOfflineCache()
}

/** Who it is, and whether they have shown all that their account asks for. */
const standing = (session: Session) =>
  `${session.user.id} ${missingMfa(session) ? 'mfa pending' : assuranceOf(session.access_token)}`

/** The factors of an account that have proved to work. */
export const factorsOf = ({ factors = [] }: Pick<User, 'factors'>): SecondFactor[] =>
  factors.filter(isUsable).map((factor) => ({
    id: factor.id,
    type: factor.factor_type,
    name: factor.friendly_name ?? '',
    ...('phone' in factor && typeof factor.phone === 'string' && factor.phone && { phone: factor.phone }),
    addedAt: factor.created_at,
  }))

type Usable = Factor & { factor_type: SecondFactor['type'] }

const types: ReadonlySet<string> = new Set<SecondFactor['type']>([
  'totp',
  'phone',
  'webauthn',
  'recovery_code',
])

const isUsable = (factor: Factor): factor is Usable =>
  factor.status === 'verified' && types.has(factor.factor_type)

/**
 * What the account still has to show before anybody is signed in; null when nothing is missing. The rule is that of
 * `getAuthenticatorAssuranceLevel`, for the session at hand: what is stored may already be another tab's.
 */
export function missingMfa({
  access_token,
  user,
}: Pick<Session, 'access_token' | 'user'>): SecondFactor[] | null {
  const factors = factorsOf(user)
  return factors.length === 0 || assuranceOf(access_token) === 'aal2' ? null : factors
}

/** How much a session has shown: the claim `aal`. The service checks tokens; here it is only about what to show. */
function assuranceOf(token: string): unknown {
  try {
    const [, payload = ''] = token.split('.')
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))).aal
  } catch {
    return undefined
  }
}

/** The member's profile row; null when it cannot be read, which is only logged (specification, section 8). */
export async function findMember(library: Library, id: string): Promise<Member | null> {
  const { data, error } = await library.from('users').select().eq('id', id).single()
  if (error) {
    console.warn('The profile could not be loaded:', error.message)
    return null
  }
  const { email, name, avatar, role, savedResources } = data
  const member = { id, email: email ?? '', name: name || nameOf(email), avatar, role, savedResources }
  return role === 'admin' ? { ...member, adminAccess: await findAdminAccess(library) } : member
}

/** What cannot be found out is left to the database, which judges every call anyway. */
async function findAdminAccess(library: Library): Promise<AdminAccess> {
  const { data } = await library.rpc('admin_access')
  return data ?? 'open'
}

/** What the account alone tells of a member. Rights that only the profile can grant are not assumed. */
const memberOf = ({ id, email = '' }: Pick<User, 'id' | 'email'>): Member => ({
  id,
  email,
  name: nameOf(email),
  avatar: null,
  role: 'member',
  savedResources: [],
})

/** The part of the address before the @ (specification, section 3). */
const nameOf = (email: string | null) => email?.split('@')[0] || 'Member'
