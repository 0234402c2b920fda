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
export type KeyUse = 'passkey' | 'second factor'

/** EdDSA, ES256 and RS256, as COSE numbers them: what every authenticator has at least one of. */
export const ALGORITHMS = [-8, -7, -257]

/** Loaded with the first ceremony: it brings parsers of certificates. */
export const library = () => import('@simplewebauthn/server')
