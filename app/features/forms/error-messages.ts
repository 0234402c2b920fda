interface Failure {
  message?: string
  status?: number
  code?: string
  /** Why a password is too weak. */
  reasons?: readonly string[]
}

const LEAKED_PASSWORD =
  'This password appears in lists of leaked passwords, so others could guess it. Please choose another one.'
const WRONG_CODE = 'That code did not work. Please check it and try again.'
const OLD_CODE = 'That code has expired. Please ask for a new one.'
const TOO_MANY = 'Too many attempts. Please wait a few minutes, then try again.'
const BUSY = 'More people are here than usual just now. Please try again in a few seconds.'
const TOO_SLOW = 'That took too long, or was begun in another browser. Please try again.'
const CANCELLED = 'That was cancelled, or took too long. You can try again at any time.'

/** What the service's error codes mean for the person in front of the screen. Other errors speak for themselves. */
const messages: Readonly<Record<string, string>> = {
  mfa_verification_failed: WRONG_CODE,
  reauthentication_not_valid: WRONG_CODE,
  mfa_challenge_expired: OLD_CODE,
  mfa_factor_not_found: OLD_CODE,
  mfa_recovery_codes_locked: TOO_MANY,
  over_request_rate_limit: TOO_MANY,
  insufficient_aal: 'Please sign in again, with your second step, to change this.',
  mfa_factor_name_conflict: 'You have one with this name already. Please choose another name.',
  too_many_enrolled_mfa_factors: 'You have ten already. Remove one to add another.',
  mfa_verified_factor_exists: 'You have added this one already.',

  access_denied: CANCELLED,
  bad_oauth_state: TOO_SLOW,
  flow_state_expired: TOO_SLOW,
  flow_state_not_found: TOO_SLOW,
  signup_disabled: 'There is no account with this address, and new accounts are not open to everyone yet.',
  identity_already_exists: 'That account is linked already, to you or to another account here.',
  identity_not_found: 'That account is not linked any more.',
  single_identity_not_deletable:
    'This is your only way to sign in, so it cannot be removed. Link another account first.',
  email_conflict_identity_not_deletable:
    'It cannot be removed: its address belongs to another account here, and yours would be left without one.',
  manual_linking_disabled: 'Accounts cannot be linked here.',
  sso_provider_not_found:
    'We do not know this organisation. Please check the address, or sign in another way.',
  saml_provider_disabled: 'Signing in with an organisation is switched off at the moment.',

  too_many_passkeys: 'You have ten passkeys already. Remove one to add another.',
  webauthn_credential_not_found: 'We do not know this passkey. It may have been removed from your account.',
  webauthn_credential_exists: 'This device holds a passkey for your account already.',
  webauthn_challenge_expired: TOO_SLOW,
  ERROR_CEREMONY_ABORTED: CANCELLED,
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: CANCELLED,
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device holds a passkey for your account already.',
}

/** Says an error of the account service, or of a passkey, in plain words. */
export function errorMessage(error: unknown): string {
  const { status, code } = failureOf(error)
  // It has the code of somebody's too many attempts, but nobody in front of a screen has caused it.
  if (status === 503 && code === 'over_request_rate_limit') return BUSY
  return messages[code ?? ''] ?? serviceMessage(error)
}

/** The same for what a link brought in the address: its code, or the service's own words. */
export const callbackMessage = ({ code, text }: { code: string; text: string }): string =>
  messages[code] ?? text

/**
 * A service's own message, or the specification's where it gave none (section 8): without a network there is nobody to
 * say anything.
 */
export function serviceMessage(error: unknown): string {
  const { message, status, reasons } = failureOf(error)
  if (reasons?.includes('pwned')) return LEAKED_PASSWORD
  const answered = status !== 0 && status !== undefined
  return (answered && message) || 'Authentication failed'
}

const failureOf = (error: unknown): Failure =>
  (typeof error === 'object' && error !== null ? error : {}) as Failure

/** Something that went wrong, already in words for whoever is in front of the screen. */
export class PlainError extends Error {
  readonly status = 400
}

/** The data of an answer. Errors: the answer's own, thrown. */
export function dataOf<Answer extends { data: unknown; error: unknown }>(
  answer: Answer,
): Extract<Answer, { error: null }>['data'] {
  if (answer.error !== null) throw answer.error
  return answer.data
}
