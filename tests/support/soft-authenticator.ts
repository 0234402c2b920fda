import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What navigator.credentials.create() is given, as far as an authenticator looks at it. */
interface CreationOptions {
  challenge: string
  rp: { id?: string }
  user: { id: string }
}

interface RequestOptions {
  challenge: string
  rpId?: string
}

/** Lies that an attack may tell. */
export interface Lies {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  userVerified?: boolean
  counter?: number
  userHandle?: string | null
  format?: string
}

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

const FLAG = { present: 0x01, verified: 0x04, hasKey: 0x40 }

/** An authenticator with one key, and the browser before it, without any hardware (WebAuthn Level 3, section 6). */
export class SoftAuthenticator {
  readonly credentialId = randomBytes(32)
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  private readonly origin: string
  private counter: number
  private userHandle = ''

  /** @param counter where it begins to count; 0 stands for one that does not count, as those in the cloud */
  constructor(origin: string, { counter = 0 } = {}) {
    this.origin = origin
    this.counter = counter
  }

  get id(): string {
    return base64url(this.credentialId)
  }

  /** The answer of navigator.credentials.create(), as JSON. */
  create({ challenge, rp, user }: CreationOptions, lies: Lies = {}) {
    this.userHandle = user.id
    const keyData = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.credentialId.length]),
      this.credentialId,
      coseKey(this.keys.publicKey),
    ])
    const authData = Buffer.concat([this.header(rp.id ?? '', FLAG.hasKey, lies), keyData])
    const attestation = new Map<string, unknown>([
      ['fmt', lies.format ?? 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ])
    return this.credential({
      clientDataJSON: this.clientData('webauthn.create', challenge, lies),
      attestationObject: base64url(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])),
      transports: ['internal', 'hybrid'] as ('internal' | 'hybrid')[],
    })
  }

  /** The answer of navigator.credentials.get(), as JSON. */
  get({ challenge, rpId }: RequestOptions, lies: Lies = {}) {
    if (this.counter > 0) this.counter++
    const authData = this.header(rpId ?? '', 0, lies)
    const clientDataJSON = this.clientData('webauthn.get', challenge, lies)
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    const userHandle = lies.userHandle === undefined ? this.userHandle : lies.userHandle
    return this.credential({
      clientDataJSON,
      authenticatorData: base64url(authData),
      signature: base64url(sign('sha256', signed, this.keys.privateKey)),
      ...(userHandle !== null && { userHandle }),
    })
  }

  private header(rpId: string, flags: number, lies: Lies): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(lies.counter ?? this.counter)
    const verified = lies.userVerified === false ? 0 : FLAG.verified
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([FLAG.present | verified | flags]), count])
  }

  private clientData(type: string, challenge: string, lies: Lies): string {
    const data = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.origin,
      crossOrigin: false,
    }
    return base64url(JSON.stringify(data))
  }

  private credential<Response extends Record<string, unknown>>(response: Response) {
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key' as const,
      response,
      clientExtensionResults: {},
      authenticatorAttachment: 'platform' as const,
    }
  }
}

/** A P-256 key as COSE has it (RFC 9053): EC2, ES256, the curve, and the point. */
function coseKey(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]) as Parameters<typeof isoCBOR.encode>[0],
  )
}
