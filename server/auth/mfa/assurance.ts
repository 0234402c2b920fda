import type { Transaction } from '#server/database/port.ts'
import type { Member } from '../context.ts'
import { authErrors, mfaErrors } from '../errors.ts'
import { findSession } from '../sessions/queries.ts'
import { findUser } from '../users/queries.ts'
import { isBanned, type UserRow } from '../users/user.ts'

export const hasSecondFactor = ({ factors }: Pick<UserRow, 'factors'>): boolean =>
  factors.some(({ status }) => status === 'verified')

/** How a refusal is told; GoTrue's calls differ in it. */
export interface Aal2Refusal {
  status?: 401 | 403 | 422
  message?: string
}

/**
 * Whoever has a second factor must have given it, or else a stolen password could add, change and remove what the
 * account is protected by. Errors: insufficient_aal.
 */
export function mustBeAal2IfEnrolled(
  { user, session }: Member,
  { status = 403, message }: Aal2Refusal = {},
): void {
  if (hasSecondFactor(user) && session.aal !== 'aal2') throw mfaErrors.insufficientAal(status, message)
}

interface LockOptions {
  /** Milliseconds since 1970. */
  now: number
  refusal?: Aal2Refusal
  /** For calls that ask for a second factor only sometimes. */
  aal2?: boolean
}

/**
 * The member as they are now, locked until the transaction ends. What the guards saw when the request came may be over:
 * the session ended by a new password, a factor added in another tab. Every change of the ways in begins with it.
 * Errors: user_not_found, user_banned, session_not_found, insufficient_aal.
 */
export async function lockMember(
  tx: Transaction,
  member: Member,
  { now, refusal, aal2 = true }: LockOptions,
): Promise<Member> {
  const user = await findUser(tx, { id: member.user.id }, { lock: true })
  if (!user) throw authErrors.userNotFound(403)
  if (isBanned(user, now)) throw authErrors.banned(403)
  const session = await findSession(tx, member.session.id)
  if (session?.user_id !== user.id) throw authErrors.sessionNotFound()
  if (aal2) mustBeAal2IfEnrolled({ user, session }, refusal)
  return { user, session }
}
