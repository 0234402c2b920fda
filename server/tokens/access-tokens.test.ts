import fc from 'fast-check'
import { exportJWK, generateKeyPair, importPKCS8, type JWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AccessTokens, createAccessTokens } from './access-tokens.ts'
import { TokenRefused } from './authenticate.ts'
import { importSigningKey, type KeySet, type SigningKey } from './signing-keys.ts'

const issuer = 'http://site.example/auth/v1'
const claims = { sub: 'a user', role: 'authenticated', session_id: 'a session' }
const start = Date.UTC(2026, 0, 1)

let keys: SigningKey[]
let strangers: CryptoKey
let tokens: AccessTokens
let now = start

const newJwk = async (alg: 'ES256' | 'RS256'): Promise<JWK> =>
  exportJWK((await generateKeyPair(alg, { extractable: true })).privateKey)

beforeAll(async () => {
  keys = [await importSigningKey(await newJwk('ES256')), await importSigningKey(await newJwk('RS256'))]
  strangers = (await generateKeyPair('ES256')).privateKey
  tokens = createAccessTokens(keySetOf(keys), { issuer, lifetimeSeconds: 3600, now: () => now })
})

const keySetOf = (all: SigningKey[]): KeySet => ({
  current: async () => all[0] as SigningKey,
  find: async (kid) => all.find((key) => key.kid === kid),
  published: async () => all.map((key) => key.publicJwk),
})

const verdict = async (token: string) =>
  tokens.verify(token).then(
    () => 'accepted',
    (error) =>
      error instanceof TokenRefused ? (error.expired ? 'expired' : error.message) : `broke: ${error}`,
  )

/** A token signed by a key of ours, with a header and claims of the sender's choice. */
const signed = (
  header: Record<string, unknown> = {},
  changes: Record<string, unknown> = {},
  key = keys[0] as SigningKey,
) => {
  const iat = Math.floor(now / 1000)
  const payload = { iss: issuer, aud: 'authenticated', iat, exp: iat + 60, ...claims, ...changes }
  return new SignJWT(payload)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
    .sign(key.privateKey)
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('an access token', () => {
  it('carries issuer, audience and times, and is verified again', async () => {
    const { token, expiresAt } = await tokens.sign(claims)
    expect(await tokens.verify(token)).toEqual({
      ...claims,
      iss: issuer,
      aud: 'authenticated',
      iat: start / 1000,
      exp: start / 1000 + 3600,
    })
    expect(expiresAt).toBe(start / 1000 + 3600)
  })

  it('may be signed by ES256 or RS256', async () => {
    expect(await verdict(await signed())).toBe('accepted')
    expect(await verdict(await signed({}, {}, keys[1]))).toBe('accepted')
  })

  it('ends when its time is over, give or take ten seconds', async () => {
    const { token } = await tokens.sign(claims)
    now = start + 3605_000
    expect(await verdict(token)).toBe('accepted')
    now = start + 3611_000
    expect(await verdict(token)).toBe('expired')
    now = start
  })

  it.each<[string, Record<string, unknown>]>([
    ['another issuer', { iss: 'http://evil.example/auth/v1' }],
    ['another audience', { aud: 'others' }],
    ['no subject', { sub: undefined }],
    ['no session', { session_id: undefined }],
    ['no role', { role: undefined }],
    ['no end', { exp: undefined }],
    ['a time to come', { nbf: start / 1000 + 60 }],
    ['a word for its end', { exp: 'never' }],
  ])('is refused with %s', async (_what, changes) => {
    expect(await verdict(await signed({}, changes))).toBe('A claim of the token is missing or not ours')
  })

  it('is refused when it is signed by somebody else', async () => {
    const { kid } = keys[0] as SigningKey
    const forged = new SignJWT({ ...claims, iss: issuer })
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(strangers)
    expect(await verdict(await forged)).toBe('Invalid JWT signature')
  })

  it.each<[string, unknown]>([
    ['no key', undefined],
    ['an unknown key', 'unknown'],
    ['a path for a key', '../../etc/passwd'],
    ['a list for a key', ['a']],
    ['a key of every object', 'constructor'],
  ])('is refused when it names %s', async (_what, kid) => {
    const { token } = await tokens.sign(claims)
    const forged = [encoded({ alg: 'ES256', kid }), ...token.split('.').slice(1)].join('.')
    expect(await verdict(forged)).toBe('No suitable key was found for the token')
  })

  it.each(['jku', 'jwk', 'x5u', 'x5c', 'x5t', 'x5t#S256'])(
    'is refused when it brings a key by %s',
    async (name) => {
      const value =
        name === 'jwk' ? await exportJWK(strangers).catch(() => ({ kty: 'EC' })) : 'https://evil.example/keys'
      expect(await verdict(await signed({ [name]: value }))).toMatch(/brings a key of its own|malformed/)
    },
  )

  it('is refused without a signature, whatever the spelling', async () => {
    const { kid } = keys[0] as SigningKey
    for (const alg of ['none', 'None', 'NONE', '']) {
      expect(await verdict(`${encoded({ alg, kid })}.${encoded(claims)}.`)).not.toBe('accepted')
    }
  })

  it('is refused when the public key is used as a shared secret', async () => {
    const { publicJwk, kid } = keys[0] as SigningKey
    for (const secret of [JSON.stringify(publicJwk), String(publicJwk.x)]) {
      const payload = new SignJWT({ ...claims, iss: issuer, aud: 'authenticated' })
        .setIssuedAt()
        .setExpirationTime('1h')
      const forged = await payload
        .setProtectedHeader({ alg: 'HS256', kid })
        .sign(new TextEncoder().encode(secret))
      expect(await verdict(forged)).toBe('The signing method of the token is not allowed')
    }
  })

  it('is refused when its algorithm is not that of its key', async () => {
    const [es, rs] = keys as [SigningKey, SigningKey]
    expect(await verdict(await signed({ kid: es.kid }, {}, rs))).toBe(
      'The token is signed by another algorithm than its key is for',
    )
  })

  it('of any other shape is refused, and never breaks the check', async () => {
    const { token } = await tokens.sign(claims)
    const part = fc.oneof(
      fc.base64String(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
      fc.constantFrom(...token.split('.')),
    )
    const shape = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part, { maxLength: 5 }).map((parts) => parts.join('.')),
    )
    await fc.assert(
      fc.asyncProperty(shape, async (text) => {
        if (text === token) return
        expect(await verdict(text)).not.toMatch(/^(accepted|broke)/)
      }),
      { numRuns: 500 },
    )
  })

  it('is refused after any change of a single character', async () => {
    const { token } = await tokens.sign(claims)
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09-_.'), async (at, character) => {
        const changed = token.slice(0, at) + character + token.slice(at + 1)
        // The last character of a signature holds bits that mean nothing.
        if (changed === token || at === token.length - 1) return
        expect(await verdict(changed)).not.toMatch(/^(accepted|broke)/)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a signing key', () => {
  it('must be a private one for ES256 or RS256', async () => {
    const { publicKey } = await generateKeyPair('ES256', { extractable: true })
    await expect(importSigningKey(await exportJWK(publicKey))).rejects.toThrow('must be a private key')
    const other = await generateKeyPair('ES384', { extractable: true })
    await expect(importSigningKey(await exportJWK(other.privateKey))).rejects.toThrow('ES256 or RS256')
    await expect(importPKCS8('nonsense', 'ES256')).rejects.toThrow()
  })

  it('shows nothing private to the world', async () => {
    for (const { publicJwk } of keys) {
      expect(Object.keys(publicJwk)).not.toEqual(expect.arrayContaining(['d']))
      expect(publicJwk).toMatchObject({ use: 'sig', key_ops: ['verify'], kid: expect.any(String) })
      for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(publicJwk).not.toHaveProperty(name)
    }
  })
})

describe('a token that was found good before', () => {
  it('is believed without another look at its signature, and only as it is', async () => {
    let looks = 0
    const counting: KeySet = {
      ...keySetOf(keys),
      find: async (kid) => {
        const key = keys.find((key) => key.kid === kid)
        return (
          key && {
            ...key,
            get publicKey() {
              looks++
              return key.publicKey
            },
          }
        )
      },
    }
    const remembering = createAccessTokens(counting, { issuer, lifetimeSeconds: 3600, now: () => now })
    const token = await signed()
    const first = await remembering.verify(token)
    for (let n = 0; n < 5; n++) expect(await remembering.verify(token)).toEqual(first)
    expect(looks).toBe(1)
    expect(Object.isFrozen(first)).toBe(true)
    await expect(remembering.verify(`${token.slice(0, -4)}AAAA`)).rejects.toThrow('Invalid JWT signature')
  })

  it('ends with its time, and with its key', async () => {
    const kept = [...keys]
    const remembering = createAccessTokens(keySetOf(kept), { issuer, lifetimeSeconds: 3600, now: () => now })
    const [token, other] = [await signed(), await signed({}, {}, keys[1])]
    await Promise.all([remembering.verify(token), remembering.verify(other)])
    kept.shift()
    await expect(remembering.verify(token)).rejects.toThrow('No suitable key')
    await remembering.verify(other)
    now = start + 71_000
    await expect(remembering.verify(other)).rejects.toThrow('The token has expired')
    now = start
  })
})

it('a token never outlives its session', async () => {
  const { token, expiresAt, expiresIn } = await tokens.sign(claims, start / 1000 + 100)
  expect([expiresAt, expiresIn]).toEqual([start / 1000 + 90, 90])
  now = start + 99_000
  expect(await verdict(token)).toBe('accepted')
  now = start + 101_000
  expect(await verdict(token)).toBe('expired')
  now = start
})
