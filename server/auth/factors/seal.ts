import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Keeps secrets that have to be read again, so that a copy of the database alone does not hold them. */
export interface Seal {
  /** @param owner id of the row that it belongs to: in another row it does not open */
  close(secret: string, owner: string): string
  /** undefined: it was sealed under another key, or for another row. What was never sealed is given as it is. */
  open(sealed: string, owner: string): string | undefined
}

const PREFIX = 'sealed:'
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** The key follows from the API's secret key, which all processes share. */
export function createSeal(secretKey: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'walking-together auth', 'factor secrets', 32))
  return {
    close(secret, owner) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(owner))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return PREFIX + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
    },
    open(sealed, owner) {
      // Rows that came from a Supabase project hold the secret itself.
      if (!sealed.startsWith(PREFIX)) return sealed
      const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url')
      const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)]
      try {
        const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
        decipher.setAAD(Buffer.from(owner)).setAuthTag(tag)
        return (
          decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
        )
      } catch {
        return undefined
      }
    },
  }
}
