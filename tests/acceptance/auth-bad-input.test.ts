import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, apiKeys, freshEmail, openAuth, signUpMember } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { adminCalls, calls, email, long, memberCalls, password, phone } from './auth-bad-input-cases.ts'

describe('bad input', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  const all = [...Object.entries(calls), ...Object.entries(adminCalls)]
  describe.each(all)('%s', (_call, cases) => {
    it.each(cases)('refuses %s', async (_what, path, json, status, code) => {
      const answer = await server.request(path, {
        json,
        bearer: path.includes('/admin') || path === '/invite' ? apiKeys.secret : '',
      })
      expect({ status: answer.status, ...(await answer.json()) }).toMatchObject({
        status,
        code: status,
        error_code: code,
      })
      expect(answer.headers.get('x-sb-error-code')).toBe(code)
    })
  })

  describe.each(Object.entries(memberCalls))('%s', (call, cases) => {
    it.each(cases)('refuses %s', async (_what, path, json, status, code) => {
      const { session } = await signUpMember(server)
      const method = call.split(' ')[0] ?? ''
      const answer = await server.request(path, { method, json, bearer: session.access_token })
      expect([answer.status, (await answer.json()).error_code]).toEqual([status, code])
    })
  })

  const bodies: ReadonlyArray<readonly [string, BodyInit, number, string]> = [
    ['nothing', '', 400, 'bad_json'],
    ['half of JSON', '{"email":', 400, 'bad_json'],
    ['a list', '[]', 400, 'bad_json'],
    ['null', 'null', 400, 'bad_json'],
    ['Latin-1', new Uint8Array([0x7b, 0x22, 0xe4, 0x22, 0x3a, 0x31, 0x7d]), 400, 'bad_json'],
    ['very deep nesting', `{"data":${'['.repeat(5000)}${']'.repeat(5000)}}`, 400, 'validation_failed'],
    ['too much', JSON.stringify({ x: 'x'.repeat(70_000) }), 413, 'validation_failed'],
  ]
  it.each(bodies)('refuses a body of %s', async (_what, body, status, code) => {
    for (const path of ['/signup', '/token?grant_type=password', '/otp', '/verify', '/recover', '/resend']) {
      const answer = await server.request(path, { method: 'POST', body })
      expect([path, answer.status, (await answer.json()).error_code]).toEqual([path, status, code])
    }
  })

  it('writes errors in the newer form for newer clients, and says which', async () => {
    const headers = { 'X-Supabase-Api-Version': '2024-01-01' }
    const answer = await server.request('/recover', { json: {}, headers })
    expect(Object.keys(await answer.json())).toEqual(['code', 'message'])
    expect(answer.headers.get('X-Supabase-Api-Version')).toBe('2024-01-01')
    const weak = await server.request('/signup', { json: { email, password: 'x' }, headers })
    expect(await weak.json()).toMatchObject({ code: 'weak_password', weak_password: { reasons: ['length'] } })
  })

  it('refuses paths, methods and pages that are not there', async () => {
    const bearer = apiKeys.secret
    const statusOf = async (path: string, method = 'GET') =>
      (await server.request(path, { method, bearer })).status
    expect(await statusOf('/nothing')).toBe(404)
    expect(await statusOf('/signup', 'DELETE')).toBe(404)
    for (const query of [
      'page=0',
      'page=-1',
      'page=x',
      'per_page=0',
      'per_page=1e3',
      `filter=${long}`,
      'filter=%00',
    ]) {
      expect([query, await statusOf(`/admin/users?${query}`)]).toEqual([query, 400])
    }
    expect(await statusOf('/admin/users/1')).toBe(404)
    expect(await statusOf('/admin/users/../../etc')).toBe(404)
    expect(await statusOf('/verify')).toBe(400)
    expect(await statusOf('/verify?token=x&type=x')).toBe(400)
  })

  const hostile = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(email, phone, password, null, ''),
  )
  const fields = [
    'email',
    'phone',
    'password',
    'data',
    'type',
    'token',
    'token_hash',
    'refresh_token',
    'auth_code',
    'code_verifier',
    'create_user',
    'channel',
    'code_challenge',
    'code_challenge_method',
    'gotrue_meta_security',
    'nonce',
    'id',
    'role',
    'aud',
    'ban_duration',
    'app_metadata',
    'user_metadata',
    'email_confirm',
    'new_email',
  ] as const
  const body = fc.record(Object.fromEntries(fields.map((name) => [name, hostile])), { requiredKeys: [] })
  const paths = [
    '/signup',
    '/token?grant_type=password',
    '/token?grant_type=refresh_token',
    '/token?grant_type=pkce',
    '/otp',
    '/verify',
    '/recover',
    '/resend',
    '/admin/users',
    '/admin/generate_link',
    '/invite',
    '/user',
  ]

  it('never fails by itself, whatever the fields hold', async () => {
    const { session } = await signUpMember(server, freshEmail())
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), body, async (path, json) => {
        const isAdmin = path.includes('admin') || path === '/invite'
        const bearer = isAdmin ? apiKeys.secret : path === '/user' ? session.access_token : ''
        const answer = await server.request(path, { method: path === '/user' ? 'PUT' : 'POST', json, bearer })
        const said = await answer.json()
        if (answer.status >= 500)
          throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(said)}`)
        if (answer.status >= 400)
          expect(said).toMatchObject({ code: answer.status, error_code: expect.any(String) })
      }),
      { numRuns: 150 },
    )
  })
})
