import { AuthError } from '../errors.ts'

const fail = (status: number, code: string, message: string) => new AuthError(status, code, message)

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
