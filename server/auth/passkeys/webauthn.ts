import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import type { AuthSettings } from '../context.ts'

/** What one of our users has to sign by, as the database keeps it. Bytes as base64url. */
export interface StoredKey {
  id: string
  publicKey: string
  /** How often it was used, where the authenticator counts. */
  counter: number
  transports: string[]
}

export interface NewKey extends StoredKey {
  /** The authenticator's model. */
  aaguid: string
  backupEligible: boolean
  backedUp: boolean
}

/** A passkey signs in by itself, so it must be found without a name and ask for finger, face or PIN. */
type KeyUse = 'passkey' | 'second factor'

/** EdDSA, ES256 and RS256, as COSE numbers them: what every authenticator has at least one of. */
const ALGORITHMS = [-8, -7, -257]

/** Loaded with the first ceremony: it brings parsers of certificates. */
const library = () => import('@simplewebauthn/server')

/** Whom a key is made for: authenticators give signatures to nobody else. */
interface RelyingParty {
  id: string
  name: string
  origin: string
}

/** The site's own address decides, never what a request says about its host. */
export function relyingPartyOf({ siteUrl }: Pick<AuthSettings, 'siteUrl'>): RelyingParty {
  const { hostname, origin } = new URL(siteUrl)
  return { id: hostname, name: 'Walking Together', origin }
}

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

const MAX_TRANSPORTS = 8

const bytes = z.string().regex(/^[\w-]+$/)

/** What every answer of an authenticator has (WebAuthn Level 3, section 5.1). Extensions are of no use here. */
const common = {
  id: bytes.max(1400),
  rawId: bytes.max(1400),
  type: z.literal('public-key'),
  clientExtensionResults: z
    .unknown()
    .optional()
    .transform(() => ({})),
}

/** The answer of navigator.credentials.create(), as JSON. */
const CreationResponse = z.object({
  ...common,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,32}$/))
      .max(MAX_TRANSPORTS)
      .optional(),
  }),
})

/** The answer of navigator.credentials.get(), as JSON. */
const RequestResponse = z.object({
  ...common,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.nullish().transform((handle) => handle ?? undefined),
  }),
})

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
