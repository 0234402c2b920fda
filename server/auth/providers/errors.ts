import { AuthError, OAuthFormError } from '../errors.ts'

const refuse = (status: number, code: string, message: string, cause?: unknown) =>
  new AuthError(status, code, message, { cause })
const badToken = (description: string, cause?: unknown) =>
  new OAuthFormError('invalid request', description, cause)

/** What can go wrong between the site, its visitor and a provider. */
export const providerErrors = {
  unsupported: () => refuse(400, 'validation_failed', 'Unsupported provider: provider is not enabled'),
  unavailable: (name: string, cause: unknown) =>
    refuse(500, 'unexpected_failure', `${name} does not answer as expected. Try again in a moment.`, cause),

  noState: () => refuse(400, 'bad_oauth_callback', 'OAuth state parameter missing'),
  unknownState: () => refuse(400, 'bad_oauth_state', 'OAuth callback with invalid state'),
  expiredState: () => refuse(400, 'bad_oauth_state', 'OAuth state has expired'),
  otherBrowser: () => refuse(400, 'bad_oauth_state', 'OAuth callback in another browser than the request'),
  refusedCode: (name: string, cause: unknown) =>
    refuse(400, 'bad_oauth_callback', `${name} did not accept the code`, cause),
  badNonce: (name: string) =>
    refuse(400, 'bad_oauth_callback', `The nonce in the answer of ${name} is wrong`),
  mixedUp: (name: string) => refuse(400, 'bad_oauth_callback', `The answer is not from ${name}`),
  badAnswer: (name: string, cause: unknown) =>
    refuse(400, 'bad_oauth_callback', `The answer of ${name} is not valid`, cause),
  nobody: (name: string) => refuse(400, 'bad_oauth_callback', `${name} does not say who it is`),

  noEmail: (name: string) =>
    refuse(422, 'provider_email_needs_verification', `${name} tells no e-mail address`),
  /** The same whether the address has an account here or not. */
  unverifiedEmail: (name: string) =>
    refuse(
      422,
      'provider_email_needs_verification',
      `Unverified email with ${name}. Confirm it there, or by the mail that we send to a new address, and sign in again.`,
    ),
  accountOfAnother: () =>
    refuse(422, 'identity_already_exists', 'Identity is already linked to another user'),
  alreadyLinked: () => refuse(422, 'identity_already_exists', 'Identity is already linked'),
  managedElsewhere: () =>
    refuse(422, 'user_sso_managed', 'This account is managed by its organisation: change it there'),

  linkingDisabled: () => refuse(404, 'manual_linking_disabled', 'Manual linking is disabled'),
  lastIdentity: () =>
    refuse(422, 'single_identity_not_deletable', 'User must have at least 1 identity after unlinking'),
  identityNotFound: () => refuse(422, 'identity_not_found', "Identity doesn't exist"),
  emailConflict: () =>
    refuse(422, 'email_conflict_identity_not_deletable', 'Unable to unlink identity due to email conflict'),

  noIdTokens: (name: string) =>
    refuse(400, 'provider_disabled', `Provider (issuer "${name}") is not enabled for ID tokens`),
  disabled: (name: string) => refuse(400, 'provider_disabled', `Provider (issuer "${name}") is not enabled`),
  issuerNotAllowed: () => refuse(400, 'validation_failed', 'Custom OIDC provider is not allowed'),
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
