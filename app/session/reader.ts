import { useSyncExternalStore } from 'react'
import type { AdminAccess } from './database-types.ts'
import type { SecondFactor } from './second-factor.ts'

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
 * Who reads the page. Unknown on the server, while a page wakes up, and while a stored session cannot be checked.
 * Somebody who has given a password but not yet what else their account asks for is still a visitor.
 */
export type Reader =
  | { state: 'unknown' }
  | { state: 'visitor'; owes?: readonly SecondFactor[] }
  | { state: 'member'; member: Member }

const unknown: Reader = { state: 'unknown' }
let current: Reader = unknown
const listeners = new Set<() => void>()

export const currentMember = (): Member | null => (current.state === 'member' ? current.member : null)

/** The second factors of whoever has given only a password; undefined when nobody has. */
export const owedFactors = () => owed(current)

const owed = (reader: Reader) => (reader.state === 'visitor' ? reader.owes : undefined)

/** Tells all components and, by `data-session` on <html>, the style sheet. */
export function setReader(next: Reader): void {
  current = next
  document.documentElement.toggleAttribute('data-session', next.state === 'member')
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Who reads the page, as it changes: by signing in and out here or in another tab. */
export const useReader = (): Reader =>
  useSyncExternalStore(
    subscribe,
    () => current,
    () => unknown,
  )

/** The member who reads the page; null for visitors, and as long as it is not known. */
export function useMember(): Member | null {
  const reader = useReader()
  return reader.state === 'member' ? reader.member : null
}

/**
 * Whether the reader can do now what only admins can: `open`, or what is missing (`verify` or `enrol` a second factor).
 * `none` for everybody else, and as long as it is not known.
 */
export const useAdminAccess = (): AdminAccess => useMember()?.adminAccess ?? 'none'

/** The same as `owedFactors`, as it changes. */
export const useOwedFactors = () => owed(useReader())
