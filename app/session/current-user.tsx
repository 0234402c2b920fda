import type { ReactNode } from 'react'
import { createStore, safeLocalStorage, useStore } from '#app/ui/store.ts'

/** What stands between the caller and the admin areas: a second factor to give, or one to add first; none for members. */
export type AdminAccess = 'open' | 'verify' | 'enrol' | 'none'

/** The member's own row of `users` (specification, section 3). */
export interface Member {
  id: string
  email: string
  name: string
  avatar: string | null
  role: 'admin' | 'member'
  /** What stands between an admin and what only admins can do (ADMIN_REQUIRE_MFA); missing for everybody else. */
  adminAccess?: AdminAccess
  savedResources: readonly string[]
}

/** Something beyond the password that an account has to show (specification, section 3: factors). */
export interface SecondFactor {
  id: string
  type: 'totp' | 'phone' | 'webauthn' | 'recovery_code'
  /** What its owner calls it; empty when it has no name. */
  name: string
  /** For text messages: the number, or what the service tells of it. */
  phone?: string
  /** When it was added, ISO 8601. */
  addedAt: string
}

/**
 * Who reads the page. Unknown on the server, until a page is hydrated, and while a stored session cannot be checked.
 * Somebody who has given a password but not yet what else their account asks for is still a visitor.
 */
type CurrentUser =
  | { state: 'unknown' }
  | { state: 'visitor'; pendingMfa?: readonly SecondFactor[] }
  | { state: 'member'; member: Member }

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
export const hasStoredSession = (): boolean => safeLocalStorage.get(sessionKeys.session) !== null

const currentUser = createStore<CurrentUser>({ state: 'unknown' })

/** Tells all components and, by `data-session` on <html>, the style sheet. */
export function setCurrentUser(next: CurrentUser): void {
  document.documentElement.toggleAttribute('data-session', next.state === 'member')
  currentUser.set(next)
}

/** Who reads the page, as it changes: by signing in and out here or in another tab. */
export const useCurrentUser = (): CurrentUser => useStore(currentUser)

const memberOf = (user: CurrentUser) => (user.state === 'member' ? user.member : null)
const pendingMfaOf = (user: CurrentUser) => (user.state === 'visitor' ? user.pendingMfa : undefined)

export const currentMember = (): Member | null => memberOf(currentUser.get())

/** The same, as it changes: null for visitors, and as long as it is not known. */
export const useMember = (): Member | null => memberOf(useCurrentUser())

/** The second factors of whoever has given only a password; undefined when nobody has. */
export const pendingMfa = () => pendingMfaOf(currentUser.get())

/** The same, as it changes. */
export const usePendingMfa = () => pendingMfaOf(useCurrentUser())

/**
 * Whether the current user can do now what only admins can: `open`, or what is missing (`verify` or `enrol` a second factor).
 * `none` for everybody else, and as long as it is not known.
 */
export const useAdminAccess = (): AdminAccess => useMember()?.adminAccess ?? 'none'

interface ShownProps {
  className?: string
  children: ReactNode
}

/** Shown unless there is a session; from the first paint on, also when it is not yet known who reads. */
export function VisitorsOnly({ className = '', children }: ShownProps) {
  return useMember() ? null : <div className={`visitors-only ${className}`}>{children}</div>
}

/** What holds a member's place while their session is being opened. */
export function WhileUnknown({ className = '', children }: ShownProps) {
  return useCurrentUser().state === 'unknown' ? (
    <div className={`members-only ${className}`}>{children}</div>
  ) : null
}

/** For members one thing, for visitors another; while it is not known, as it will probably be. */
export function MemberOrVisitor({ member, visitor }: { member: ReactNode; visitor: ReactNode }) {
  if (useMember()) return member
  return (
    <>
      <VisitorsOnly>{visitor}</VisitorsOnly>
      <WhileUnknown>
        <h1 className="text-2xl text-muted">One moment…</h1>
      </WhileUnknown>
    </>
  )
}
