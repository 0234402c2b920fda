import { isUniqueViolation } from '#server/database/port.ts'

/** A failure that a client of /auth/v1 understands (protocol.md 2.2). The cause goes to the log, never into the body. */
export class AuthError extends Error {
  readonly status: number
  readonly code: string
  /** Further fields of the body: `weak_password`. */
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, message: string, extra: Extra = {}) {
    super(message, { cause: extra.cause })
    this.name = 'AuthError'
    this.status = status
    this.code = code
    this.details = extra.details ?? {}
    this.retryAfter = extra.retryAfter
  }
}

/** What goes wrong with an ID token is told in OAuth's own form: `{error, error_description}` (protocol.md 2.2). */
export class OAuthFormError extends AuthError {
  readonly error: string

  constructor(error: string, description: string, cause?: unknown) {
    super(400, 'bad_id_token', description, { cause })
    this.error = error
  }
}

interface Extra {
  details?: Record<string, unknown>
  retryAfter?: number | undefined
  cause?: unknown
}

/** Why a password is too weak, as auth-js lists it. */
export type WeakReason = 'length' | 'characters' | 'pwned'

const fail = (status: number, code: string, message: string, extra?: Extra) =>
  new AuthError(status, code, message, extra)

const expiredLink = 'Token has expired or is invalid'
const wait = (seconds: number) => `For security purposes, you can only request this after ${seconds} seconds.`

/**
 * What any account call may refuse, by what went wrong; providers, organisations, second factors and passkeys follow.
 * Codes are GoTrue's, and so are the words that people get to see.
 */
export const authErrors = {
  invalid: (message: string) => fail(400, 'validation_failed', message),
  notFoundId: (message: string) => fail(404, 'validation_failed', message),
  badJson: (message: string) => fail(400, 'bad_json', message),
  bodyTooLarge: () => fail(413, 'validation_failed', 'The request body is too large'),
  noRoute: () => fail(404, 'not_found', 'There is nothing at this address'),

  noAuthorization: () => fail(401, 'no_authorization', 'This endpoint requires a Bearer token'),
  badJwt: (reason: string) => fail(403, 'bad_jwt', `invalid JWT: ${reason}`),
  notAdmin: () => fail(403, 'not_admin', 'User not allowed'),
  userNotFound: (status: 403 | 404 = 404) => fail(status, 'user_not_found', 'User not found'),
  sessionNotFound: (status: 400 | 403 = 403) =>
    fail(status, 'session_not_found', 'Session from session_id claim in JWT does not exist'),
  banned: (status: 400 | 403) => fail(status, 'user_banned', 'User is banned'),

  invalidCredentials: () => fail(400, 'invalid_credentials', 'Invalid login credentials'),
  unsupportedGrant: () => fail(400, 'invalid_credentials', 'unsupported_grant_type'),
  emailNotConfirmed: (status: 400 | 422 = 400) => fail(status, 'email_not_confirmed', 'Email not confirmed'),
  phoneNotConfirmed: (status: 400 | 422 = 400) => fail(status, 'phone_not_confirmed', 'Phone not confirmed'),
  signupDisabled: () => fail(422, 'signup_disabled', 'Signups not allowed for this instance'),
  anonymousDisabled: () => fail(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'),
  userAlreadyExists: () => fail(422, 'user_already_exists', 'User already registered'),
  emailExists: () => fail(422, 'email_exists', 'A user with this email address has already been registered'),
  phoneExists: () => fail(422, 'phone_exists', 'A user with this phone number has already been registered'),

  weakPassword: (reasons: readonly WeakReason[], message: string) =>
    fail(422, 'weak_password', message, { details: { weak_password: { reasons } } }),
  nowhereToSignIn: () =>
    fail(
      422,
      'validation_failed',
      'Updating the password of an anonymous user without an email or phone is not allowed',
    ),
  samePassword: () => fail(422, 'same_password', 'New password should be different from the old password.'),
  reauthenticationNeeded: () =>
    fail(400, 'reauthentication_needed', 'Password update requires reauthentication'),
  reauthenticationNotValid: () => fail(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid'),

  otpExpired: () => fail(403, 'otp_expired', expiredLink),
  linkExpired: () => fail(403, 'otp_expired', 'Email link is invalid or has expired'),
  flowStateNotFound: () => fail(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found'),
  flowStateExpired: () => fail(422, 'flow_state_expired', 'invalid flow state, flow state has expired'),
  badCodeVerifier: () =>
    fail(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier'),

  refreshTokenNotFound: () =>
    fail(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'),
  refreshTokenUsed: () => fail(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used'),
  sessionExpired: (why: string) =>
    fail(400, 'session_expired', `Invalid Refresh Token: Session Expired (${why})`),

  tooManyRequests: (seconds: number) =>
    fail(429, 'over_request_rate_limit', 'Request rate limit reached', { retryAfter: seconds }),
  tooManyMails: (seconds: number) =>
    fail(429, 'over_email_send_rate_limit', wait(seconds), { retryAfter: seconds }),
  tooManySms: (seconds: number) =>
    fail(429, 'over_sms_send_rate_limit', wait(seconds), { retryAfter: seconds }),

  captchaFailed: (codes: string) =>
    fail(400, 'captcha_failed', `captcha protection: request disallowed (${codes})`),
  captchaUnavailable: (cause: unknown) =>
    fail(500, 'unexpected_failure', 'captcha verification process failed', { cause }),
  busy: (seconds: number) =>
    fail(503, 'over_request_rate_limit', 'The service is busy. Try again in a moment.', {
      retryAfter: seconds,
    }),
  unavailable: (cause: unknown) =>
    fail(503, 'unexpected_failure', 'The database cannot be reached. Try again in a moment.', { cause }),
  noRoom: (cause: unknown) =>
    fail(507, 'unexpected_failure', 'There is no room left to save anything. Try again later.', { cause }),
  internal: (cause: unknown) =>
    fail(500, 'unexpected_failure', 'Something went wrong on our side', { cause }),
}

const badToken = (description: string, cause?: unknown) =>
  new OAuthFormError('invalid request', description, cause)

/** What can go wrong between the site, its visitor and a provider. */
export const providerErrors = {
  unsupported: () => fail(400, 'validation_failed', 'Unsupported provider: provider is not enabled'),
  unavailable: (name: string, cause: unknown) =>
    fail(500, 'unexpected_failure', `${name} does not answer as expected. Try again in a moment.`, { cause }),

  noState: () => fail(400, 'bad_oauth_callback', 'OAuth state parameter missing'),
  unknownState: () => fail(400, 'bad_oauth_state', 'OAuth callback with invalid state'),
  expiredState: () => fail(400, 'bad_oauth_state', 'OAuth state has expired'),
  otherBrowser: () => fail(400, 'bad_oauth_state', 'OAuth callback in another browser than the request'),
  refusedCode: (name: string, cause: unknown) =>
    fail(400, 'bad_oauth_callback', `${name} did not accept the code`, { cause }),
  badNonce: (name: string) => fail(400, 'bad_oauth_callback', `The nonce in the answer of ${name} is wrong`),
  mixedUp: (name: string) => fail(400, 'bad_oauth_callback', `The answer is not from ${name}`),
  badAnswer: (name: string, cause: unknown) =>
    fail(400, 'bad_oauth_callback', `The answer of ${name} is not valid`, { cause }),
  nobody: (name: string) => fail(400, 'bad_oauth_callback', `${name} does not say who it is`),

  noEmail: (name: string) =>
    fail(422, 'provider_email_needs_verification', `${name} tells no e-mail address`),
  /** The same whether the address has an account here or not. */
  unverifiedEmail: (name: string) =>
    fail(
      422,
      'provider_email_needs_verification',
      `Unverified email with ${name}. Confirm it there, or by the mail that we send to a new address, and sign in again.`,
    ),
  accountOfAnother: () => fail(422, 'identity_already_exists', 'Identity is already linked to another user'),
  alreadyLinked: () => fail(422, 'identity_already_exists', 'Identity is already linked'),
  managedElsewhere: () =>
    fail(422, 'user_sso_managed', 'This account is managed by its organisation: change it there'),

  linkingDisabled: () => fail(404, 'manual_linking_disabled', 'Manual linking is disabled'),
  lastIdentity: () =>
    fail(422, 'single_identity_not_deletable', 'User must have at least 1 identity after unlinking'),
  identityNotFound: () => fail(422, 'identity_not_found', "Identity doesn't exist"),
  emailConflict: () =>
    fail(422, 'email_conflict_identity_not_deletable', 'Unable to unlink identity due to email conflict'),

  noIdTokens: (name: string) =>
    fail(400, 'provider_disabled', `Provider (issuer "${name}") is not enabled for ID tokens`),
  disabled: (name: string) => fail(400, 'provider_disabled', `Provider (issuer "${name}") is not enabled`),
  issuerNotAllowed: () => fail(400, 'validation_failed', 'Custom OIDC provider is not allowed'),
  idTokenMissing: () => badToken('id_token required'),
  providerMissing: () => badToken('provider or client_id and issuer required'),
  badIdToken: (why: string, cause?: unknown) => badToken(`Bad ID token: ${why}`, cause),
  audience: () => badToken('Unacceptable audience in id_token'),
  accessTokenMismatch: () => badToken('Bad access_token: it does not belong to the ID token'),
  nonceOnOneSide: () => badToken('Passed nonce and nonce in id_token should either both exist or not.'),
  nonceMismatch: () => new OAuthFormError('invalid nonce', 'Nonces mismatch'),
}

/** The provider's own refusal: the person said no there, or may not come in. `error` is its word (RFC 6749, 4.1.2.1). */
export class ProviderRefused extends AuthError {
  readonly error: string

  constructor(error: string, description: string) {
    super(400, /^[a-z_]{1,64}$/.test(error) ? error : 'bad_oauth_callback', description)
    this.error = this.code === 'bad_oauth_callback' ? 'server_error' : this.code
  }
}

/** Nobody whom we know has signed the assertion. */
export class UnverifiedSignature extends AuthError {
  constructor(why: string, cause?: unknown) {
    super(400, 'validation_failed', `SAML response is not valid: ${why}`, { cause })
  }
}

/** What can go wrong with an organisation's single sign-on. Codes are GoTrue's. */
export const samlErrors = {
  disabled: () => fail(404, 'saml_provider_disabled', 'SAML 2.0 is disabled'),
  noProvider: () => fail(404, 'sso_provider_not_found', 'No such SSO provider'),
  noDomain: () => fail(404, 'sso_provider_not_found', 'No SSO provider assigned for this domain'),
  providerDisabled: () => fail(422, 'sso_provider_disabled', 'This SSO provider is switched off'),

  begunElsewhere: () =>
    fail(
      400,
      'saml_relay_state_not_found',
      'Sign-ins that begin at the identity provider are not accepted: begin at the site',
    ),
  unknownRelayState: () =>
    fail(404, 'saml_relay_state_not_found', 'SAML RelayState does not exist, try logging in again?'),
  expiredRelayState: () =>
    fail(422, 'saml_relay_state_expired', 'SAML RelayState has expired. Try logging in again?'),
  otherBrowser: () =>
    fail(400, 'saml_relay_state_not_found', 'SAML response in another browser than the request'),
  repeated: () => fail(400, 'validation_failed', 'SAML response is not valid: it has been used before'),
  noResponse: () => fail(400, 'validation_failed', 'SAMLResponse is missing'),
  badResponse: (why: string, cause?: unknown) =>
    fail(400, 'validation_failed', `SAML response is not valid: ${why}`, { cause }),
  /** The certificates that we know do not fit; they may be old. */
  notSigned: (why: string, cause?: unknown) => new UnverifiedSignature(why, cause),
  refusedThere: (cause: unknown) =>
    fail(403, 'access_denied', 'The identity provider did not sign you in', { cause }),
  noUserId: () => fail(400, 'saml_assertion_no_user_id', 'SAML assertion has no lasting user identifier'),
  noEmail: () => fail(400, 'saml_assertion_no_email', 'SAML assertion does not contain an email address'),

  badMetadata: (why: string, cause?: unknown) =>
    fail(400, 'validation_failed', `SAML Metadata XML is not valid: ${why}`, { cause }),
  metadataNotFetched: (cause: unknown) =>
    fail(422, 'saml_metadata_fetch_failed', 'The SAML metadata could not be fetched', { cause }),
  idpExists: () =>
    fail(422, 'saml_idp_already_exists', 'SAML Identity Provider with this EntityID already exists'),
  domainExists: () =>
    fail(400, 'sso_domain_already_exists', 'An SSO provider is already assigned to one of the domains'),
  resourceIdExists: () =>
    fail(400, 'validation_failed', 'An SSO provider with this resource_id already exists'),
  entityIdMismatch: () =>
    fail(400, 'saml_entity_id_mismatch', 'The EntityID of a SAML provider cannot be changed'),
}

/** Refusals of second factors, in GoTrue's codes (protocol.md section 3). */
export const mfaErrors = {
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
    fail(429, 'mfa_recovery_codes_locked', 'Too many wrong recovery codes, try again later', {
      retryAfter: seconds,
    }),
}

/** Refusals of passkeys, in GoTrue's codes. */
export const passkeyErrors = {
  anonymous: () => fail(403, 'no_authorization', 'Anonymous users cannot have passkeys'),
  managedElsewhere: () => fail(422, 'user_sso_managed', 'Passkeys are not for accounts of single sign-on'),
  tooMany: () => fail(422, 'too_many_passkeys', 'Maximum number of passkeys reached, remove one to continue'),
  exists: () => fail(422, 'webauthn_credential_exists', 'This passkey is already registered'),
  notFound: () => fail(404, 'webauthn_credential_not_found', 'Passkey not found'),
  unknownKey: () => fail(400, 'webauthn_credential_not_found', 'This passkey is not registered here'),
  unknownChallenge: () => fail(400, 'webauthn_challenge_not_found', 'Challenge not found'),
  challengeExpired: () => fail(400, 'webauthn_challenge_expired', 'Challenge has expired'),
  notVerified: () => fail(400, 'webauthn_verification_failed', 'The passkey could not be verified'),
}

/** Two people took the same address at the same moment: the second attempt finds the account that the first has made. */
export const retryOnConflict = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error) => {
    if (isUniqueViolation(error)) return work()
    throw error
  })

/** An address that is taken, in the protocol's words. Errors: email_exists, phone_exists. */
export function refuseTaken(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  throw error.constraint?.includes('phone') ? authErrors.phoneExists() : authErrors.emailExists()
}
