import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Encrypts what has to be read again, so that a copy of the database alone does not hold it (docs/decisions/0016). */
export interface Sealing {
  /** Names the key without telling anything of it: 16 hex digits. */
  readonly keyId: string
  /**
   * Encrypts and authenticates a secret. @param context says what it is and whose, by `sealedAs`: in any other place it
   * does not open
   */
  seal(secret: string, context: string): string
  /** Errors: UnsealFailed when it was sealed with another key, for another place, altered, or never sealed. */
  unseal(sealed: string, context: string): string
}

/** What should be sealed does not open. The message names the place and never the content. */
export class UnsealFailed extends Error {
  constructor(context: string, why: string) {
    super(`${context} does not open: ${why}`)
  }
}

/** Where a secret is kept: the column, and the id of its row. The context of `seal`. */
export const sealedAs = (column: string, rowId: string): string => `${column}:${rowId}`

export const KEY_BYTES = 32
const FORM = /^sealed\.v1\.([0-9a-f]{16})\.([\w-]+)$/
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

export const isSealed = (text: string): boolean => FORM.test(text)

/**
 * 32 bytes, written in hex or base64 (also in its form for URLs). undefined: it is neither, or of another length.
 */
export function parseEncryptionKey(text: string): Buffer | undefined {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (!/^[\w+/-]{43}=?$/.test(trimmed)) return undefined
  const key = Buffer.from(trimmed, 'base64')
  return key.length === KEY_BYTES ? key : undefined
}

/** @param key 32 bytes. Errors: RangeError on any other length. */
export function createSealing(key: Buffer): Sealing {
  if (key.length !== KEY_BYTES) throw new RangeError(`a sealing key has ${KEY_BYTES} bytes`)
  const keyId = createHash('sha256').update('walking-together sealing key id').update(key).digest('hex')
  return sealingWith(key, keyId.slice(0, 16))
}

const sealingWith = (key: Buffer, keyId: string): Sealing => ({
  keyId,
  seal(secret, context) {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, key, iv).setAAD(boundTo(keyId, context))
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    const bytes = Buffer.concat([iv, cipher.getAuthTag(), text])
    return `sealed.v1.${keyId}.${bytes.toString('base64url')}`
  },
  unseal(sealed, context) {
    const [, sealedBy, encoded] = FORM.exec(sealed) ?? []
    if (!sealedBy || !encoded) throw new UnsealFailed(context, 'it is not sealed')
    if (sealedBy !== keyId) throw new UnsealFailed(context, `it is sealed with the key ${sealedBy}`)
    const bytes = Buffer.from(encoded, 'base64url')
    try {
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(boundTo(keyId, context)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      const text = bytes.subarray(IV_BYTES + TAG_BYTES)
      return decipher.update(text, undefined, 'utf8') + decipher.final('utf8')
    } catch {
      throw new UnsealFailed(context, 'it was altered, or sealed for another place')
    }
  },
})

/** Authenticated beside the text: the form, the key and the place. */
const boundTo = (keyId: string, context: string): Buffer => Buffer.from(`v1.${keyId}.${context}`)
