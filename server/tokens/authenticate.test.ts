import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { authenticate, type CallerEnv, TokenRefused, type VerifyToken } from './authenticate.ts'

const keys = { publishable: 'sb_publishable_p', secret: 'sb_secret_s' }
const member = { role: 'authenticated', sub: 'a-member' }

const verifyToken: VerifyToken = async (token) => {
  if (token === 'members.token') return member
  if (token === 'strange.role.token') return { role: 'postgres', sub: 'x' }
  if (token === 'no.role.token') return { sub: 'x' }
  if (token === 'while.the.database.is.away') throw new Error('no answer')
  if (token === 'old.token') throw new TokenRefused('The token has expired', { expired: true })
  throw new TokenRefused('The token is not valid')
}

const app = new Hono<CallerEnv>()
  .use(
    authenticate({
      keys,
      verifyToken,
      refuse: {
        noKey: () => new Response('no key', { status: 401 }),
        badKey: () => new Response('bad key', { status: 401 }),
        badToken: ({ expired }) => new Response(expired ? 'expired' : 'bad token', { status: 401 }),
      },
    }),
  )
  .get('/', (c) => c.json(c.var.caller))
  .onError((error, c) => c.text(error.message, 500))

const anon = { role: 'anon', claims: { role: 'anon' } }
const service = { role: 'service_role', claims: { role: 'service_role' } }
const user = { role: 'authenticated', claims: member }

interface Request {
  apikey?: string
  query?: string
  authorization?: string
}

const ask = async ({ query, ...headers }: Request): Promise<unknown> => {
  const response = await app.request(query ? `/?apikey=${query}` : '/', { headers })
  return response.status === 200 ? response.json() : `${response.status} ${await response.text()}`
}

describe('who asks', () => {
  it.each<[situation: string, request: Request, caller: unknown]>([
    ['nobody without a key', {}, '401 no key'],
    ['nobody with an empty key', { apikey: '' }, '401 no key'],
    ['nobody with a wrong key', { apikey: 'sb_publishable_x' }, '401 bad key'],
    ['nobody with the start of a key', { apikey: 'sb_secret_' }, '401 bad key'],
    ['nobody with a key in the wrong case', { apikey: 'SB_SECRET_S' }, '401 bad key'],
    ['a visitor with the publishable key', { apikey: keys.publishable }, anon],
    ['the service with the secret key', { apikey: keys.secret }, service],
    ['a visitor with the key in the query', { query: keys.publishable }, anon],
    ['the service with the key in the query', { query: keys.secret }, service],
    ['nobody with a wrong key in the query', { query: 'x' }, '401 bad key'],
    [
      'whom the header names, when the query names another',
      { apikey: keys.publishable, query: keys.secret },
      anon,
    ],
    [
      'nobody, when the header is wrong and the query right',
      { apikey: 'x', query: keys.secret },
      '401 bad key',
    ],

    [
      'a visitor whose bearer is the key',
      { apikey: keys.publishable, authorization: `Bearer ${keys.publishable}` },
      anon,
    ],
    [
      'the service whose bearer is the key',
      { apikey: keys.secret, authorization: `Bearer ${keys.secret}` },
      service,
    ],
    ['a visitor with the key as bearer only', { authorization: `Bearer ${keys.publishable}` }, anon],
    ['the service with the key as bearer only', { authorization: `bearer   ${keys.secret} ` }, service],
    [
      'the service by its bearer',
      { apikey: keys.publishable, authorization: `Bearer ${keys.secret}` },
      service,
    ],
    ['a visitor by the bearer', { apikey: keys.secret, authorization: `Bearer ${keys.publishable}` }, anon],

    ['a user with a token', { apikey: keys.publishable, authorization: 'Bearer members.token' }, user],
    [
      'a user with a token, whatever the case of the word',
      { apikey: keys.publishable, authorization: 'BEARER members.token' },
      user,
    ],
    [
      'a user, not the service, with a token and the secret key',
      { apikey: keys.secret, authorization: 'Bearer members.token' },
      user,
    ],
    [
      'a user with a token and the key in the query',
      { query: keys.publishable, authorization: 'Bearer members.token' },
      user,
    ],
    ['nobody with a token and no key', { authorization: 'Bearer members.token' }, '401 no key'],
    [
      'nobody with a token and a wrong key',
      { apikey: 'x', authorization: 'Bearer members.token' },
      '401 bad key',
    ],

    [
      'nobody with a token that is wrong',
      { apikey: keys.publishable, authorization: 'Bearer x.y.z' },
      '401 bad token',
    ],
    [
      'nobody with the secret key and a wrong token',
      { apikey: keys.secret, authorization: 'Bearer x.y.z' },
      '401 bad token',
    ],
    [
      'nobody with a token that is over',
      { apikey: keys.publishable, authorization: 'Bearer old.token' },
      '401 expired',
    ],
    [
      'nobody with a token of two words',
      { apikey: keys.publishable, authorization: 'Bearer members.token x' },
      '401 bad token',
    ],
    [
      'nobody with a wrong key as the bearer',
      { apikey: keys.publishable, authorization: 'Bearer sb_secret_x' },
      '401 bad token',
    ],
    [
      'nobody with a role that is not one of the API',
      { apikey: keys.publishable, authorization: 'Bearer strange.role.token' },
      '401 bad token',
    ],
    [
      'nobody with no role at all',
      { apikey: keys.publishable, authorization: 'Bearer no.role.token' },
      '401 bad token',
    ],

    ['a visitor with an empty bearer', { apikey: keys.publishable, authorization: 'Bearer ' }, anon],
    ['a visitor with another scheme', { apikey: keys.publishable, authorization: 'Basic dTpw' }, anon],
    [
      'a visitor with a word that only begins alike',
      { apikey: keys.publishable, authorization: 'Bearers members.token' },
      anon,
    ],
    [
      'unknown while tokens cannot be checked',
      { apikey: keys.publishable, authorization: 'Bearer while.the.database.is.away' },
      '500 no answer',
    ],
  ])('is %s', async (_situation, request, caller) => {
    expect(await ask(request)).toEqual(caller)
  })

  it('is found out in no time from a header of 60,000 blanks', async () => {
    const before = performance.now()
    const authorization = `Bearer a${' '.repeat(60_000)}b`
    expect(await ask({ apikey: keys.publishable, authorization })).toBe('401 bad token')
    expect(performance.now() - before).toBeLessThan(2000)
  })
})
