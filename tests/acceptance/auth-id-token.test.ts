import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, freshEmail, openAuth, signUpMember, siteUrl } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { type OpenIdProvider, startOpenIdProvider } from '#tests/support/openid-provider.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

describe('an ID token', () => {
  let db: Database
  let peer: OpenIdProvider
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    peer = await startOpenIdProvider({ users: [], redirectUri: `${siteUrl}/auth/v1/callback` })
    const web = `${peer.settings.clientId},phone-app`
    const providers = new Map([
      ['keycloak', { ...peer.settings, clientId: web }],
      ['github', { clientId: 'g', secret: 's', url: undefined }],
    ])
    server = await openAuth(db, { settings: { providers } })
  })
  afterAll(async () => {
    await peer.stop()
    await db.close()
  })

  const ada = () => ({ sub: `ada-${freshEmail()}`, email: freshEmail(), email_verified: true, name: 'Ada' })
  const post = async (json: object, bearer = '') => {
    const answer = await server.request('/token?grant_type=id_token', { json, bearer })
    return { status: answer.status, body: await answer.json() }
  }
  const refusalOf = async (claims: object, more = {}, header = {}) => {
    const id_token = await peer.idToken({ ...ada(), ...claims }, header)
    return post({ provider: 'keycloak', id_token, ...more })
  }

  it('opens a session of the official client', async () => {
    const person = ada()
    const token = await peer.idToken(person)
    const { data, error } = await server.client().signInWithIdToken({ provider: 'keycloak', token })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email: person.email, app_metadata: { provider: 'keycloak' } })
    expect(data.session?.access_token).toBeTruthy()
  })

  it('may be for any of the clients that are set up, and be named by issuer and client', async () => {
    const id_token = await peer.idToken({ ...ada(), aud: 'phone-app' })
    expect((await post({ id_token, client_id: 'phone-app', issuer: peer.url })).status).toBe(200)
    const other = { id_token, client_id: 'phone-app', issuer: 'https://other.example' }
    expect(await post(other)).toMatchObject({ status: 400, body: { error_code: 'validation_failed' } })
    expect(await post({ id_token })).toEqual({
      status: 400,
      body: { error: 'invalid request', error_description: 'provider or client_id and issuer required' },
    })
  })

  it('comes with the nonce that its claim is the digest of', async () => {
    const nonce = 'a nonce of the client'
    const token = await peer.idToken({ ...ada(), nonce: sha256(nonce).toString('hex') })
    const { error } = await server.client().signInWithIdToken({ provider: 'keycloak', token, nonce })
    expect(error).toBeNull()
  })

  it.each<[what: string, claims: object, more: object, description: string]>([
    ['a nonce that is not passed', { nonce: 'x' }, {}, 'should either both exist or not'],
    ['none although one is passed', {}, { nonce: 'x' }, 'should either both exist or not'],
    ['another nonce', { nonce: sha256('y').toString('hex') }, { nonce: 'x' }, 'Nonces mismatch'],
    ['the nonce itself', { nonce: 'x' }, { nonce: 'x' }, 'Nonces mismatch'],
    ['another audience', { aud: 'somebody else' }, {}, 'Unacceptable audience'],
    ['another authorised party', { azp: 'somebody else' }, {}, 'Unacceptable audience'],
    ['another issuer', { iss: 'https://x.example' }, {}, 'its claim "iss" is missing or wrong'],
    ['its time over', { iat: 1, exp: 2 }, {}, 'it has expired'],
    ['nobody in it', { sub: undefined }, {}, 'its claim "sub" is missing or wrong'],
    [
      'an access token of somebody else',
      { at_hash: 'x'.repeat(22) },
      { access_token: 'y' },
      'Bad access_token',
    ],
  ])('is refused with %s, in the form of OAuth', async (_what, claims, more, description) => {
    const { status, body } = await refusalOf(claims, more)
    expect(status).toBe(400)
    expect(body.error_description).toContain(description)
    expect(Object.keys(body)).toEqual(['error', 'error_description'])
  })

  it('is refused unsigned, signed by strangers, or when it is none at all', async () => {
    const claims = { iss: peer.url, aud: peer.settings.clientId, ...ada(), iat: 1, exp: 9_999_999_999 }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const good = await peer.idToken(ada())
    const tokens: Array<[token: string, reason: string]> = [
      [`${part({ alg: 'none' })}.${part(claims)}.`, 'algorithm is not allowed'],
      [`${part({ alg: 'HS256', kid: 'tests' })}.${part(claims)}.AAAA`, 'algorithm is not allowed'],
      [`${part({ alg: 'RS256', kid: '../../etc/passwd' })}.${part(claims)}.AAAA`, 'its key is none of'],
      [`${good.slice(0, -6)}AAAAAA`, 'its signature is wrong'],
      ['garbage', 'it cannot be read'],
      ['a.b.c', 'it cannot be read'],
    ]
    for (const [id_token, reason] of tokens) {
      const { status, body } = await post({ provider: 'keycloak', id_token })
      expect([status, body.error]).toEqual([400, 'invalid request'])
      expect(body.error_description).toContain(reason)
    }
    expect((await post({ provider: 'keycloak' })).body.error_description).toBe('id_token required')
  })

  it('leaves a trace when it is refused', async () => {
    await post({ provider: 'keycloak', id_token: 'garbage' })
    const answer = await server.request('/admin/audit?per_page=1', { bearer: server.deps.keys.secret })
    const [{ payload }] = await answer.json()
    const traits = { reason: 'bad_id_token', provider: 'keycloak' }
    expect(payload).toMatchObject({ action: 'login_failed', traits })
  })

  it('belongs to an access token that goes with it', async () => {
    const at_hash = sha256('access').subarray(0, 16).toString('base64url')
    expect((await refusalOf({ at_hash }, { access_token: 'access' })).status).toBe(200)
  })

  it('is of no provider that is not set up, or has no ID tokens', async () => {
    for (const provider of ['google', 'github', 'constructor']) {
      const { status, body } = await post({ provider, id_token: 'x' })
      expect([status, body.error_code]).toEqual([400, 'provider_disabled'])
    }
  })

  it('does not lead an unverified address to an account', async () => {
    const member = await signUpMember(server)
    const { status, body } = await refusalOf({ email: member.email, email_verified: false })
    expect([status, body.error_code]).toEqual([422, 'provider_email_needs_verification'])
  })

  it('adds an identity to the account of whoever is signed in', async () => {
    const { client, user } = await signUpMember(server)
    const token = await peer.idToken(ada())
    const { data, error } = await client.linkIdentity({ provider: 'keycloak', token })
    expect(error).toBeNull()
    expect(data.user?.id).toBe(user.id)
    expect(data.user?.app_metadata.providers).toEqual(['email', 'keycloak'])
    const other = await signUpMember(server)
    const { error: refused } = await other.client.linkIdentity({ provider: 'keycloak', token })
    expect(refused).toMatchObject({ status: 422, code: 'identity_already_exists' })
  })

  it('adds none without a session', async () => {
    const id_token = await peer.idToken(ada())
    const { status, body } = await post({ provider: 'keycloak', id_token, link_identity: true })
    expect([status, body.error_code]).toEqual([401, 'no_authorization'])
  })
})
