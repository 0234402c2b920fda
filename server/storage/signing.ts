import { hkdfSync } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { storageErrors } from './errors.ts'
import { TransformOptions } from './images/preset.ts'
import type { ObjectKey } from './names.ts'

/** What an address allows whoever holds it. One kind never passes for another. */
const Grant = z.discriminatedUnion('use', [
  z.object({
    use: z.literal('read'),
    url: z.string(),
    transform: TransformOptions.optional(),
  }),
  z.object({ use: z.literal('write'), url: z.string(), owner: z.string().nullable(), upsert: z.boolean() }),
])
type Grant = z.infer<typeof Grant>

type GrantFor<Use> = Extract<Grant, { use: Use }>

export interface Signer {
  sign(grant: Grant, expiresInSeconds: number): Promise<string>
  /**
   * What the token allows, and for which object: `at` is how the address names it.
   * Errors: InvalidJWT for a token that is forged, too old, or for another object or use.
   */
  verify<Use extends Grant['use']>(
    token: string,
    use: Use,
    at: ObjectKey,
  ): Promise<GrantFor<Use> & { key: ObjectKey }>
}

/**
 * Signs addresses with a key derived from the service's secret key: the same in every process that shares it, nothing
 * to keep, and a new secret key ends all addresses at once.
 */
export function createSigner(secretKey: string): Signer {
  const key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'signed storage addresses', 32))
  return {
    sign: (grant, expiresInSeconds) =>
      new SignJWT(grant)
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + expiresInSeconds)
        .sign(key),
    async verify<Use extends Grant['use']>(token: string, use: Use, at: ObjectKey) {
      const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] }).catch(refuse)
      const grant = Grant.safeParse(payload)
      if (!grant.success || grant.data.use !== use) throw storageErrors.badSignature('InvalidSignature')
      const object = keyIn(grant.data.url)
      if (![urlOf(object), pathOf(object)].includes(urlOf(at)))
        throw storageErrors.badSignature('InvalidSignature')
      return { ...(grant.data as GrantFor<Use>), key: object }
    },
  }
}

/** How a token names its object. */
export const urlOf = ({ bucket, name }: ObjectKey): string => `${bucket}/${name}`

const keyIn = (url: string): ObjectKey => {
  const slash = url.indexOf('/')
  return { bucket: url.slice(0, slash), name: url.slice(slash + 1) }
}

/**
 * How an address names its object. storage-js encodes what it gets, but takes a `?` or `#` for the end of the path: these
 * two are encoded here, then once more by the client, and so arrive encoded once.
 */
export const pathOf = (key: ObjectKey): string => urlOf(key).replaceAll('?', '%3F').replaceAll('#', '%23')

const refuse = (error: unknown): never => {
  throw storageErrors.badSignature(
    error instanceof errors.JWTExpired ? '"exp" claim timestamp check failed' : 'Invalid JWT',
  )
}
