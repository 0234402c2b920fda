import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, apiKeys, openAuth, signUpMember } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

describe('who is let in', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  const verdict = async (answer: Response) => [answer.status, (await answer.json()).error_code]

  it('nobody without a key, nor with a wrong one', async () => {
    const strangers: Array<Record<string, string>> = [
      {},
      { apikey: 'sb_publishable_other' },
      { authorization: 'Bearer sb_secret_other' },
    ]
    for (const headers of strangers) {
      for (const path of ['/settings', '/health', '/user', '/admin/users']) {
        const answer = await server.app.request(path, { headers })
        expect([path, answer.status, await answer.json()]).toEqual([
          path,
          401,
          expect.objectContaining({ message: expect.any(String) }),
        ])
      }
      expect((await server.app.request('/token', { method: 'POST', headers })).status).toBe(401)
      expect((await server.app.request('/verify', { method: 'POST', headers, body: '{}' })).status).toBe(401)
    }
  })

  it('a key in the query, in the header, or as the bearer', async () => {
    const key = apiKeys.publishable
    expect((await server.app.request(`/settings?apikey=${key}`)).status).toBe(200)
    expect((await server.app.request('/settings', { headers: { apikey: key } })).status).toBe(200)
    expect(
      (await server.app.request('/settings', { headers: { authorization: `Bearer ${key}` } })).status,
    ).toBe(200)
  })

  it('anybody to the public keys', async () => {
    const answer = await server.app.request('/.well-known/jwks.json')
    const { keys } = await answer.json()
    expect(keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', key_ops: ['verify'] })
    expect(keys[0]).not.toHaveProperty('d')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=600')
  })

  it('browsers of other origins, which ask first', async () => {
    const answer = await server.app.request('/token?grant_type=password', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers':
          'apikey,authorization,content-type,x-client-info,x-supabase-api-version',
      },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-headers')).toContain('x-supabase-api-version')
  })

  it('members by a token of a living session, each failure under its own name', async () => {
    const { session, user } = await signUpMember(server)
    const ask = (bearer: string) => server.request('/user', { bearer })
    expect(await verdict(await server.request('/user'))).toEqual([401, 'no_authorization'])
    expect(await verdict(await ask(apiKeys.publishable))).toEqual([401, 'no_authorization'])
    expect(await verdict(await ask('not.a.token'))).toEqual([403, 'bad_jwt'])
    expect(await verdict(await ask(`${session.access_token.slice(0, -8)}AAAAAAAA`))).toEqual([403, 'bad_jwt'])
    const { token } = await server.deps.tokens.sign({
      sub: 'nobody',
      role: 'authenticated',
      session_id: 'none',
    })
    expect(await verdict(await ask(token))).toEqual([403, 'bad_jwt'])
    server.advance(3700)
    expect(await verdict(await ask(session.access_token))).toEqual([403, 'bad_jwt'])
    server.advance(-3700)
    await server.admin.deleteUser(user?.id ?? '')
    expect(await verdict(await ask(session.access_token))).toEqual([403, 'user_not_found'])
  })

  it('nobody by the session of somebody else', async () => {
    const [one, other] = [await signUpMember(server), await signUpMember(server)]
    const claims = await server.deps.tokens.verify(other.session.access_token)
    const { token } = await server.deps.tokens.sign({ ...claims, sub: one.user?.id })
    expect(await verdict(await server.request('/user', { bearer: token }))).toEqual([
      403,
      'session_not_found',
    ])
  })

  it('tells which ways in there are', async () => {
    const easy = await openAuth(db, { settings: { anonymous: true, autoconfirm: true, disableSignup: true } })
    expect(await (await easy.request('/settings')).json()).toMatchObject({
      external: { email: true, phone: true, anonymous_users: true, google: false },
      disable_signup: true,
      mailer_autoconfirm: true,
      phone_autoconfirm: true,
      sms_provider: 'test',
      saml_enabled: false,
      passkeys_enabled: true,
    })
    expect(await (await easy.request('/health')).json()).toMatchObject({
      name: 'GoTrue',
      version: expect.any(String),
    })
  })

  it('answers are kept by nobody', async () => {
    expect((await server.request('/settings')).headers.get('cache-control')).toBe('no-store')
  })
})

it('says when the database is away', async () => {
  const db = await openTestDatabase()
  const server = await openAuth(db)
  await db.close()
  const answer = await server.request('/token?grant_type=password', {
    json: { email: 'a@example.org', password: 'x' },
  })
  expect([answer.status, await answer.json()]).toMatchObject([503, { error_code: 'unexpected_failure' }])
})
