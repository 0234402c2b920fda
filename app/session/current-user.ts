import { useSyncExternalStore } from 'react'

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

/**
 * Who reads the page. Unknown on the server, until a page is hydrated, and while a stored session cannot be checked.
 * Somebody who has given a password but not yet what else their account asks for is still a visitor.
 */
export type CurrentUser =
  | { state: 'unknown' }
  | { state: 'visitor'; pendingMfa?: readonly SecondFactor[] }
  | { state: 'member'; member: Member }

const unknown: CurrentUser = { state: 'unknown' }
let current: CurrentUser = unknown
const listeners = new Set<() => void>()

export const currentMember = (): Member | null => (current.state === 'member' ? current.member : null)

/** The second factors of whoever has given only a password; undefined when nobody has. */
export const pendingMfa = () => pendingMfaOf(current)

const pendingMfaOf = (user: CurrentUser) => (user.state === 'visitor' ? user.pendingMfa : undefined)

/** Tells all components and, by `data-session` on <html>, the style sheet. */
export function setCurrentUser(next: CurrentUser): void {
  current = next
  document.documentElement.toggleAttribute('data-session', next.state === 'member')
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Who reads the page, as it changes: by signing in and out here or in another tab. */
export const useCurrentUser = (): CurrentUser =>
  useSyncExternalStore(
    subscribe,
    () => current,
    () => unknown,
  )

/** The member who reads the page; null for visitors, and as long as it is not known. */
export function useMember(): Member | null {
  const user = useCurrentUser()
  return user.state === 'member' ? user.member : null
}

/**
 * Whether the current user can do now what only admins can: `open`, or what is missing (`verify` or `enrol` a second factor).
 * `none` for everybody else, and as long as it is not known.
 */
export const useAdminAccess = (): AdminAccess => useMember()?.adminAccess ?? 'none'

/** The same as `pendingMfa`, as it changes. */
export const usePendingMfa = () => pendingMfaOf(useCurrentUser())

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
