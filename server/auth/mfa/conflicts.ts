import { isUniqueViolation } from '#server/database/errors.ts'
import { mfaErrors } from '../errors.ts'

/** A name or number that the user has already. Errors: mfa_factor_name_conflict, mfa_verified_factor_exists. */
export function refuseTakenName(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  throw error.constraint?.includes('phone') ? mfaErrors.verifiedPhoneExists() : mfaErrors.nameTaken()
}
