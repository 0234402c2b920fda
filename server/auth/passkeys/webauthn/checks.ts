import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { ALGORITHMS, type KeyUse, library, type NewKey, type StoredKey } from './keys.ts'
import type { RelyingParty } from './relying-party.ts'
import { CreationResponse, RequestResponse } from './responses.ts'

interface Check {
  /** As the client sent it. */
  response: unknown
  challenge: string
  use: KeyUse
}

/** The key that an authenticator has made; undefined when anything about its answer is wrong. */
export async function checkCreation(
  party: RelyingParty,
  { response, challenge, use }: Check,
): Promise<NewKey | undefined> {
  const { verifyRegistrationResponse } = await library()
  const { data } = CreationResponse.safeParse(response)
  if (!data || !(await isPlainAttestation(data))) return undefined
  const outcome = await verifyRegistrationResponse({
    response: data as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    supportedAlgorithmIDs: ALGORITHMS,
    requireUserVerification: use === 'passkey',
  }).catch(() => undefined)
  if (!outcome?.verified) return undefined
  const { credential, aaguid, credentialDeviceType, credentialBackedUp } = outcome.registrationInfo
  return {
    id: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: data.response.transports ?? [],
    aaguid,
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
  }
}

/** Formats with certificates were not asked for; checking them would fetch lists from addresses that they name. */
async function isPlainAttestation({
  response,
}: {
  response: { attestationObject: string }
}): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  try {
    const format = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject)).get('fmt')
    return format === 'none' || format === 'packed'
  } catch {
    return false
  }
}

/** How authenticators hold whose key it is; those that serve as second factors only need not. */
const handleOf = (userId: string): string => Buffer.from(userId).toString('base64url')

/** How often the key has been used now; undefined when anything about its signature is wrong, a copied key included. */
export async function checkRequest(
  party: RelyingParty,
  { response, challenge, use, key, owner }: Check & { key: StoredKey; owner: string },
): Promise<{ counter: number; backedUp: boolean } | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const { data } = RequestResponse.safeParse(response)
  if (data?.id !== key.id) return undefined
  const { userHandle = handleOf(owner) } = data.response
  if (userHandle !== handleOf(owner)) return undefined
  const outcome = await verifyAuthenticationResponse({
    response: data as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: use === 'passkey',
    credential: {
      id: key.id,
      publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')),
      counter: key.counter,
    },
  }).catch(() => undefined)
  if (!outcome?.verified) return undefined
  const { newCounter, credentialBackedUp } = outcome.authenticationInfo
  return { counter: newCounter, backedUp: credentialBackedUp }
}
