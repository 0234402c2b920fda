import { createHmac, createPublicKey } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, openAuth, signUpMember } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())

describe('forged access tokens', () => {
  let db: Database
  let server: AuthServer
  let token: string
  let publicJwk: JWK
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
    token = (await signUpMember(server)).session.access_token
    const { keys } = await (await server.request('/.well-known/jwks.json')).json()
    publicJwk = keys[0]
  })
  afterAll(() => db.close())

  const parts = () => token.split('.') as [string, string, string]
  const lifted = () => ({ ...decoded(parts()[1]), aal: 'aal2', amr: [{ method: 'totp', timestamp: 1 }] })

  /** Signed by a key of the thief's, with whatever header. */
  const signedByThief = async (header: Record<string, unknown>) => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const jwk = await exportJWK(publicKey)
    const full = { alg: 'ES256', ...header, ...('jwk' in header && { jwk }) }
    return new SignJWT(lifted()).setProtectedHeader(full).sign(privateKey)
  }

  const withSharedSecret = (secret: string | Buffer) => {
    const head = `${encoded({ alg: 'HS256', typ: 'JWT', kid: publicJwk.kid })}.${encoded(lifted())}`
    return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`
  }

  const forgeries: Record<string, () => string | Promise<string>> = {
    'a level that was raised': () => `${parts()[0]}.${encoded(lifted())}.${parts()[2]}`,
    'no signature': () => `${encoded({ alg: 'none', kid: publicJwk.kid })}.${encoded(lifted())}.`,
    'the public key as a shared secret': () =>
      withSharedSecret(
        createPublicKey({ key: publicJwk as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' }),
      ),
    'the public key as JSON for a secret': () => withSharedSecret(JSON.stringify(publicJwk)),
    'a key at an address of its own': () =>
      signedByThief({ kid: publicJwk.kid, jku: 'http://evil.example/jwks.json' }),
    'a key that it brings along': () => signedByThief({ kid: publicJwk.kid, jwk: true }),
    'a file for a key': () => signedByThief({ kid: '../../../../dev/null' }),
    'a statement for a key': () => signedByThief({ kid: "x' union select 'y" }),
    'a stranger’s signature': () => signedByThief({ kid: publicJwk.kid }),
  }

  it.each(Object.keys(forgeries))('with %s are refused, and leave a trace', async (name) => {
    const entries = async () =>
      (
        await db.asOwner('test', (tx) =>
          tx.query("select payload from auth.audit_log_entries where payload ->> 'action' = 'token_refused'"),
        )
      ).rows
    await db.asOwner('test', (tx) =>
      tx.script('delete from platform.rate_limits; delete from auth.audit_log_entries'),
    )
    const bearer = (await forgeries[name]?.()) ?? ''
    for (const [path, init] of [
      ['/user', {}],
      ['/factors', { json: { factor_type: 'totp' } }],
    ] as const) {
      const answer = await server.request(path, { ...init, bearer })
      expect([answer.status, answer.headers.get('x-sb-error-code')]).toEqual([403, 'bad_jwt'])
    }
    const noted = await entries()
    expect(noted).toHaveLength(2)
    expect(JSON.stringify(noted)).not.toContain(bearer)
  })

  it('cannot fill the audit log', async () => {
    const bearer = (await forgeries['no signature']?.()) ?? ''
    await db.asOwner('test', (tx) =>
      tx.script('delete from platform.rate_limits; delete from auth.audit_log_entries'),
    )
    for (let i = 0; i < 30; i++) await server.request('/user', { bearer })
    const { affected } = await db.asOwner('test', (tx) => tx.query('select from auth.audit_log_entries'))
    expect(affected).toBe(10)
  })
})
