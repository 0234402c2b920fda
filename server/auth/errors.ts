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
  retryAfter?: number
  cause?: unknown
}

/** Why a password is too weak, as auth-js lists it. */
export type WeakReason = 'length' | 'characters' | 'pwned'

const fail = (status: number, code: string, message: string, extra?: Extra) =>
  new AuthError(status, code, message, extra)

const expiredLink = 'Token has expired or is invalid'
const wait = (seconds: number) => `For security purposes, you can only request this after ${seconds} seconds.`

/** Every refusal, by what went wrong. Codes are GoTrue's, and so are the words that people get to see. */
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
