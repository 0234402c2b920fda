import { isUniqueViolation } from '#server/database/errors.ts'
import { authErrors } from './errors.ts'

/** Two people took the same address at the same moment: the second attempt finds the account that the first has made. */
export const onceMoreOnConflict = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error) => {
    if (isUniqueViolation(error)) return work()
    throw error
  })

/** An address that is taken, in the protocol's words. Errors: email_exists, phone_exists. */
export function refuseTaken(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  throw error.constraint?.includes('phone') ? authErrors.phoneExists() : authErrors.emailExists()
}
