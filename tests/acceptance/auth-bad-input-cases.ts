import { goodPassword } from '#tests/support/auth.ts'

/** [what is wrong, the call, its body, the answer's status and code] */
type Case = readonly [string, string, unknown, number, string]

export const email = 'somebody@example.org'
export const phone = '4915112345678'
export const password = goodPassword
const challenge = 'a'.repeat(43)
export const long = 'x'.repeat(300)

export const calls: Record<string, Case[]> = {
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
export const memberCalls: Record<string, Case[]> = {
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

export const adminCalls: Record<string, Case[]> = {
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
