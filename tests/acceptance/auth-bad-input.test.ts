import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import {
  type AuthServer,
  apiKeys,
  freshEmail,
  goodPassword,
  openAuth,
  signUpMember,
} from '#tests/support/auth.ts'
import { databases } from '#tests/support/databases.ts'

/** [what is wrong, the call, its body, the answer's status and code] */
type Case = readonly [string, string, unknown, number, string]

const email = 'somebody@example.org'
const phone = '4915112345678'
const password = goodPassword
const challenge = 'a'.repeat(43)
const long = 'x'.repeat(300)

const calls: Record<string, Case[]> = {
  'POST /signup': [
    ['no password', '/signup', { email }, 400, 'validation_failed'],
    ['no address', '/signup', { password }, 400, 'validation_failed'],
    ['both addresses', '/signup', { email, phone, password }, 400, 'validation_failed'],
    ['no e-mail address', '/signup', { email: 'nobody', password }, 400, 'validation_failed'],
    [
      'an address with a line break',
      '/signup',
      { email: 'a@b.co\r\nbcc: c@d.co', password },
      400,
      'validation_failed',
    ],
    ['two addresses in one', '/signup', { email: 'a@b.co,c@d.co', password }, 400, 'validation_failed'],
    ['a very long address', '/signup', { email: `${long}@example.org`, password }, 400, 'validation_failed'],
    ['a number for an address', '/signup', { email: 7, password }, 400, 'validation_failed'],
    ['no phone number', '/signup', { phone: '12-34', password }, 400, 'validation_failed'],
    ['a weak password', '/signup', { email, password: 'abc' }, 422, 'weak_password'],
    ['a password beyond 72 bytes', '/signup', { email, password: 'ä'.repeat(40) }, 400, 'validation_failed'],
    ['a list for metadata', '/signup', { email, password, data: [1] }, 400, 'validation_failed'],
    [
      'metadata without end',
      '/signup',
      { email, password, data: { x: 'x'.repeat(20_000) } },
      400,
      'validation_failed',
    ],
    ['NUL in metadata', '/signup', { email, password, data: { x: 'a\0b' } }, 400, 'validation_failed'],
    ['NUL in a key', '/signup', { email, password, data: { 'a\0b': 1 } }, 400, 'validation_failed'],
    ['half a character', '/signup', { email, password, data: { x: '\ud83d' } }, 400, 'validation_failed'],
    [
      'half a PKCE challenge',
      '/signup',
      { email, password, code_challenge: challenge },
      400,
      'validation_failed',
    ],
    [
      'a short challenge',
      '/signup',
      { email, password, code_challenge: 'abc', code_challenge_method: 's256' },
      400,
      'validation_failed',
    ],
    [
      'an unknown method',
      '/signup',
      { email, password, code_challenge: challenge, code_challenge_method: 'md5' },
      400,
      'validation_failed',
    ],
    [
      'PKCE by phone',
      '/signup',
      { phone, password, code_challenge: challenge, code_challenge_method: 's256' },
      400,
      'validation_failed',
    ],
    ['an unknown channel', '/signup', { phone, password, channel: 'pigeon' }, 400, 'validation_failed'],
    ['anonymous where that is off', '/signup', {}, 422, 'anonymous_provider_disabled'],
  ],
  'POST /token': [
    ['no grant', '/token', {}, 400, 'invalid_credentials'],
    ['an unknown grant', '/token?grant_type=magic', {}, 400, 'invalid_credentials'],
    ['a grant of every object', '/token?grant_type=constructor', {}, 400, 'invalid_credentials'],
    ['neither address', '/token?grant_type=password', { password }, 400, 'validation_failed'],
    ['both addresses', '/token?grant_type=password', { email, phone, password }, 400, 'validation_failed'],
    ['a wrong password', '/token?grant_type=password', { email, password: 'x' }, 400, 'invalid_credentials'],
    ['no password', '/token?grant_type=password', { email }, 400, 'invalid_credentials'],
    [
      'a list for a password',
      '/token?grant_type=password',
      { email, password: ['x'] },
      400,
      'validation_failed',
    ],
    [
      'a password beyond 72 bytes',
      '/token?grant_type=password',
      { email, password: long },
      400,
      'validation_failed',
    ],
    ['no refresh token', '/token?grant_type=refresh_token', {}, 400, 'validation_failed'],
    [
      'a short refresh token',
      '/token?grant_type=refresh_token',
      { refresh_token: 'abc' },
      400,
      'validation_failed',
    ],
    [
      'a long refresh token',
      '/token?grant_type=refresh_token',
      { refresh_token: long },
      400,
      'validation_failed',
    ],
    [
      'a number for a refresh token',
      '/token?grant_type=refresh_token',
      { refresh_token: 1 },
      400,
      'validation_failed',
    ],
    [
      'an unknown refresh token',
      '/token?grant_type=refresh_token',
      { refresh_token: 'abcdefghijkl' },
      400,
      'refresh_token_not_found',
    ],
    ['no auth code', '/token?grant_type=pkce', { code_verifier: challenge }, 400, 'validation_failed'],
    ['no verifier', '/token?grant_type=pkce', { auth_code: 'x' }, 400, 'validation_failed'],
    [
      'an unknown auth code',
      '/token?grant_type=pkce',
      { auth_code: 'x', code_verifier: challenge },
      404,
      'flow_state_not_found',
    ],
  ],
  'POST /otp': [
    ['no address', '/otp', {}, 400, 'validation_failed'],
    ['both addresses', '/otp', { email, phone }, 400, 'validation_failed'],
    ['a bad address', '/otp', { email: '@' }, 400, 'validation_failed'],
    ['a bad number', '/otp', { phone: 'abc' }, 400, 'validation_failed'],
    ['a word for create_user', '/otp', { email, create_user: 'yes' }, 400, 'validation_failed'],
    ['nobody, and no new account', '/otp', { email, create_user: false }, 422, 'otp_disabled'],
  ],
  'POST /verify': [
    ['no type', '/verify', { token: '123456', email }, 400, 'validation_failed'],
    ['an unknown type', '/verify', { type: 'toString', token: '123456', email }, 400, 'validation_failed'],
    ['no token', '/verify', { type: 'email', email }, 400, 'validation_failed'],
    ['no address', '/verify', { type: 'email', token: '123456' }, 400, 'validation_failed'],
    ['both addresses', '/verify', { type: 'email', token: '123456', email, phone }, 400, 'validation_failed'],
    [
      'a hash with an address',
      '/verify',
      { type: 'email', token_hash: 'abc', email },
      400,
      'validation_failed',
    ],
    ['a long token', '/verify', { type: 'email', token: long, email }, 400, 'validation_failed'],
    ['a wrong code', '/verify', { type: 'email', token: '123456', email }, 403, 'otp_expired'],
    ['a wrong hash', '/verify', { type: 'email', token_hash: 'abc' }, 403, 'otp_expired'],
    ['a wrong code by phone', '/verify', { type: 'sms', token: '123456', phone }, 403, 'otp_expired'],
  ],
  'POST /recover': [
    ['no address', '/recover', {}, 400, 'validation_failed'],
    ['null', '/recover', { email: null }, 400, 'validation_failed'],
    ['an object', '/recover', { email: {} }, 400, 'validation_failed'],
  ],
  'POST /resend': [
    ['no type', '/resend', { email }, 400, 'validation_failed'],
    ['an unknown type', '/resend', { type: 'recovery', email }, 400, 'validation_failed'],
    ['no address', '/resend', { type: 'signup' }, 400, 'validation_failed'],
    ['no number', '/resend', { type: 'sms' }, 400, 'validation_failed'],
    ['both addresses', '/resend', { type: 'signup', email, phone }, 400, 'validation_failed'],
  ],
}

/** With a member's token. */
const memberCalls: Record<string, Case[]> = {
  'PUT /user': [
    ['a bad address', '/user', { email: 'x' }, 400, 'validation_failed'],
    ['a bad number', '/user', { phone: 'x' }, 400, 'validation_failed'],
    ['a weak password', '/user', { password: 'x' }, 422, 'weak_password'],
    ['a password beyond 72 bytes', '/user', { password: long }, 400, 'validation_failed'],
    ['a text for metadata', '/user', { data: 'x' }, 400, 'validation_failed'],
    ['NUL in metadata', '/user', { data: { x: ['\0'] } }, 400, 'validation_failed'],
    ['a long nonce', '/user', { password, nonce: long }, 400, 'validation_failed'],
    ['half a challenge', '/user', { email, code_challenge_method: 's256' }, 400, 'validation_failed'],
    [
      'a wrong nonce',
      '/user',
      { password: 'something new', nonce: '12345' },
      422,
      'reauthentication_not_valid',
    ],
  ],
  'POST /logout': [['an unknown scope', '/logout?scope=everybody', {}, 400, 'validation_failed']],
}

const adminCalls: Record<string, Case[]> = {
  'POST /admin/users': [
    ['no address', '/admin/users', {}, 400, 'validation_failed'],
    ['a bad address', '/admin/users', { email: 'x' }, 400, 'validation_failed'],
    ['a bad id', '/admin/users', { email, id: '1' }, 400, 'validation_failed'],
    ['a weak password', '/admin/users', { email, password: 'x' }, 422, 'weak_password'],
    ['no hash', '/admin/users', { email, password_hash: 'md5' }, 400, 'validation_failed'],
    [
      'a hash that would cost everything',
      '/admin/users',
      { email, password_hash: '$argon2id$v=19$m=9999999,t=2,p=1$c2FsdA$c2FsdA' },
      400,
      'validation_failed',
    ],
    [
      'password and hash',
      '/admin/users',
      { email, password, password_hash: `$2b$10$${'a'.repeat(53)}` },
      400,
      'validation_failed',
    ],
    ['a role of the database server', '/admin/users', { email, role: 'postgres' }, 400, 'validation_failed'],
    ['no duration', '/admin/users', { email, ban_duration: 'a while' }, 400, 'validation_failed'],
    ['half a duration', '/admin/users', { email, ban_duration: '1h and more' }, 400, 'validation_failed'],
    [
      'a duration without end',
      '/admin/users',
      { email, ban_duration: '99999999999999h' },
      400,
      'validation_failed',
    ],
  ],
  'POST /admin/generate_link': [
    ['no type', '/admin/generate_link', { email }, 400, 'validation_failed'],
    ['an unknown type', '/admin/generate_link', { type: 'x', email }, 400, 'validation_failed'],
    ['no password', '/admin/generate_link', { type: 'signup', email }, 400, 'validation_failed'],
    ['no new address', '/admin/generate_link', { type: 'email_change_new', email }, 400, 'validation_failed'],
    [
      'nobody',
      '/admin/generate_link',
      { type: 'recovery', email: 'nobody@example.org' },
      404,
      'user_not_found',
    ],
  ],
  'POST /invite': [
    ['no address', '/invite', {}, 400, 'validation_failed'],
    ['a bad address', '/invite', { email: 'x' }, 400, 'validation_failed'],
  ],
}

describe.each(databases)('bad input on %s', (_name, open) => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await open()
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
