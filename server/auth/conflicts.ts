import { isSqlError } from '#server/database/errors.ts'
import { authErrors } from './errors.ts'

const UNIQUE_VIOLATION = '23505'

/** Two people took the same address at the same moment: the second attempt finds the account that the first has made. */
export const onceMoreOnConflict = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error) => {
    if (isSqlError(error) && error.code === UNIQUE_VIOLATION) return work()
    throw error
  })

/** An address that is taken, in the protocol's words. Errors: email_exists, phone_exists. */
export function refuseTaken(error: unknown): never {
  if (!isSqlError(error) || error.code !== UNIQUE_VIOLATION) throw error
  throw error.constraint?.includes('phone') ? authErrors.phoneExists() : authErrors.emailExists()
}
