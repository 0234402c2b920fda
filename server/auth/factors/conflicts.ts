import { isSqlError } from '#server/database/errors.ts'
import { factorErrors } from './errors.ts'

const UNIQUE_VIOLATION = '23505'

/** A name or number that the user has already. Errors: mfa_factor_name_conflict, mfa_verified_factor_exists. */
export function refuseTakenName(error: unknown): never {
  if (!isSqlError(error) || error.code !== UNIQUE_VIOLATION) throw error
  throw error.constraint?.includes('phone') ? factorErrors.verifiedPhoneExists() : factorErrors.nameTaken()
}
