import { AuthError } from '../errors.ts'

const refuse = (status: number, code: string, message: string, cause?: unknown) =>
  new AuthError(status, code, message, { cause })

/** Nobody whom we know has signed the assertion. */
export class UnverifiedSignature extends AuthError {
  constructor(why: string, cause?: unknown) {
    super(400, 'validation_failed', `SAML response is not valid: ${why}`, { cause })
  }
}

/** What can go wrong with an organisation's single sign-on. Codes are GoTrue's. */
export const ssoErrors = {
  disabled: () => refuse(404, 'saml_provider_disabled', 'SAML 2.0 is disabled'),
  noProvider: () => refuse(404, 'sso_provider_not_found', 'No such SSO provider'),
  noDomain: () => refuse(404, 'sso_provider_not_found', 'No SSO provider assigned for this domain'),
  providerDisabled: () => refuse(422, 'sso_provider_disabled', 'This SSO provider is switched off'),

  begunElsewhere: () =>
    refuse(
      400,
      'saml_relay_state_not_found',
      'Sign-ins that begin at the identity provider are not accepted: begin at the site',
    ),
  unknownRelayState: () =>
    refuse(404, 'saml_relay_state_not_found', 'SAML RelayState does not exist, try logging in again?'),
  expiredRelayState: () =>
    refuse(422, 'saml_relay_state_expired', 'SAML RelayState has expired. Try logging in again?'),
  otherBrowser: () =>
    refuse(400, 'saml_relay_state_not_found', 'SAML response in another browser than the request'),
  repeated: () => refuse(400, 'validation_failed', 'SAML response is not valid: it has been used before'),
  noResponse: () => refuse(400, 'validation_failed', 'SAMLResponse is missing'),
  badResponse: (why: string, cause?: unknown) =>
    refuse(400, 'validation_failed', `SAML response is not valid: ${why}`, cause),
  /** The certificates that we know do not fit; they may be old. */
  notSigned: (why: string, cause?: unknown) => new UnverifiedSignature(why, cause),
  refusedThere: (cause: unknown) =>
    refuse(403, 'access_denied', 'The identity provider did not sign you in', cause),
  noUserId: () => refuse(400, 'saml_assertion_no_user_id', 'SAML assertion has no lasting user identifier'),
  noEmail: () => refuse(400, 'saml_assertion_no_email', 'SAML assertion does not contain an email address'),

  badMetadata: (why: string, cause?: unknown) =>
    refuse(400, 'validation_failed', `SAML Metadata XML is not valid: ${why}`, cause),
  metadataNotFetched: (cause: unknown) =>
    refuse(422, 'saml_metadata_fetch_failed', 'The SAML metadata could not be fetched', cause),
  idpExists: () =>
    refuse(422, 'saml_idp_already_exists', 'SAML Identity Provider with this EntityID already exists'),
  domainExists: () =>
    refuse(400, 'sso_domain_already_exists', 'An SSO provider is already assigned to one of the domains'),
  resourceIdExists: () =>
    refuse(400, 'validation_failed', 'An SSO provider with this resource_id already exists'),
  entityIdMismatch: () =>
    refuse(400, 'saml_entity_id_mismatch', 'The EntityID of a SAML provider cannot be changed'),
}
