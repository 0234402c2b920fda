import { AuthError } from '../errors.ts'

const fail = (status: number, code: string, message: string, retryAfter?: number) =>
  new AuthError(status, code, message, retryAfter === undefined ? {} : { retryAfter })

/** Refusals of second factors, in GoTrue's codes (protocol.md section 3). */
export const factorErrors = {
  /** Statuses differ from call to call, as in GoTrue. */
  insufficientAal: (status: 401 | 403 | 422, message = 'AAL2 required to change second factors') =>
    fail(status, 'insufficient_aal', message),
  notFound: () => fail(404, 'mfa_factor_not_found', 'Factor not found'),
  unknownChallenge: () =>
    fail(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found'),
  nameTaken: () => fail(422, 'mfa_factor_name_conflict', 'A factor with this friendly name already exists'),
  tooMany: () =>
    fail(
      422,
      'too_many_enrolled_mfa_factors',
      'Maximum number of enrolled factors reached, unenroll to continue',
    ),
  verifiedPhoneExists: () =>
    fail(422, 'mfa_verified_factor_exists', 'A verified phone factor already exists, unenroll it first'),
  challengeExpired: () =>
    fail(
      422,
      'mfa_challenge_expired',
      'MFA challenge has expired, verify against another challenge or create a new one',
    ),
  wrongCode: () => fail(422, 'mfa_verification_failed', 'Invalid code entered'),
  wrongCredential: () => fail(422, 'mfa_verification_failed', 'The security key could not be verified'),
  soleFactor: () =>
    fail(422, 'mfa_recovery_codes_sole_factor', 'Recovery codes need another verified factor beside them'),
  recoveryCodesExist: () =>
    fail(422, 'mfa_verified_factor_exists', 'Recovery codes exist already, regenerate them to get new ones'),
  recoveryCodesLocked: (seconds: number | undefined) =>
    fail(429, 'mfa_recovery_codes_locked', 'Too many wrong recovery codes, try again later', seconds),
}
