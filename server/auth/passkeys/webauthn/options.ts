import { ALGORITHMS, type KeyUse, library, type StoredKey } from './keys.ts'
import type { RelyingParty } from './relying-party.ts'

interface Person {
  id: string
  /** What the authenticator shows beside the key. */
  name: string
}

/** The options of navigator.credentials.create(), with a fresh challenge. */
export async function creationOptions(
  party: RelyingParty,
  { person, known, use, seconds }: { person: Person; known: StoredKey[]; use: KeyUse; seconds: number },
) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    userID: new TextEncoder().encode(person.id),
    userName: person.name,
    userDisplayName: person.name,
    timeout: seconds * 1000,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection:
      use === 'passkey'
        ? { residentKey: 'required', userVerification: 'required' }
        : { residentKey: 'discouraged', userVerification: 'preferred' },
  })
}

/** The options of navigator.credentials.get(). Without `allowed` keys the person chooses one on their device. */
export async function requestOptions(
  party: RelyingParty,
  { allowed, use, seconds }: { allowed?: StoredKey[]; use: KeyUse; seconds: number },
) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: party.id,
    timeout: seconds * 1000,
    userVerification: use === 'passkey' ? 'required' : 'preferred',
    ...(allowed && { allowCredentials: allowed.map(({ id, transports }) => ({ id, transports })) }),
  })
}
