import type { Member } from '../context.ts'
import type { UserRow } from '../users/rows.ts'
import { factorErrors } from './errors.ts'

export const hasSecondFactor = ({ factors }: Pick<UserRow, 'factors'>): boolean =>
  factors.some(({ status }) => status === 'verified')

/**
 * Whoever has a second factor must have given it, or else a stolen password could add, change and remove what the
 * account is protected by. Errors: insufficient_aal.
 */
export function mustHaveProvedEnough(
  { user, session }: Member,
  status: 401 | 403 | 422,
  message?: string,
): void {
  if (hasSecondFactor(user) && session.aal !== 'aal2') throw factorErrors.insufficientAal(status, message)
}
