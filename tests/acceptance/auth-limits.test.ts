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
import { openTestDatabase } from '#tests/support/databases.ts'
import { startHttpServer } from '#tests/support/http-server.ts'

describe('limits', () => {
  let db: Database
  beforeAll(async () => {
    db = await openTestDatabase()
  })
  afterAll(() => db.close())

  const from = (address: string) => ({ 'x-forwarded-for': address })
  const signIn = { email: 'nobody@example.org', password: 'wrong' }

  it('slow down a client address that tries again and again, in all processes together', async () => {
    const settings = { rateLimits: true, trustedProxies: 1 }
    const [one, other] = [await openAuth(db, { settings }), await openAuth(db, { settings })]
    const statuses: number[] = []
    for (let i = 0; i < 31; i++) {
      const json = { ...signIn, email: freshEmail() }
      const answer = await (i % 2 ? one : other).request('/token?grant_type=password', {
        json,
        headers: from('203.0.113.7'),
      })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([...Array(30).fill(400), 429])
    const refused = await one.request('/signup', { json: {}, headers: from('203.0.113.7') })
    expect(await refused.json()).toMatchObject({ code: 429, error_code: 'over_request_rate_limit' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(200)
    const elsewhere = await one.request('/token?grant_type=password', {
      json: signIn,
      headers: from('203.0.113.8'),
    })
    expect(elsewhere.status).toBe(400)
  })

  it('believe a forwarded address only from proxies that the owner trusts', async () => {
    const server = await openAuth(db, { settings: { rateLimits: true, trustedProxies: 0 } })
    const statuses = new Set<number>()
    for (let i = 0; i < 32; i++) {
      const answer = await server.request('/recover', {
        json: { email: freshEmail() },
        headers: from(`198.51.100.${i}`),
      })
      statuses.add(answer.status)
    }
    expect(statuses).toEqual(new Set([200, 429]))
  })

  const tryFrom = (server: AuthServer, address: string, json: object) =>
    server.request('/token?grant_type=password', { json, headers: from(address) })

  it('end guessing at one account from one address, and let its owner in from another', async () => {
    const server = await openAuth(db, { settings: { rateLimits: true, trustedProxies: 1 } })
    const { email } = await signUpMember(await openAuth(db))
    const wrong = { email, password: 'wrong' }
    const guesses = await Promise.all(Array.from({ length: 12 }, () => tryFrom(server, '192.0.2.1', wrong)))
    expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(400), 429, 429])
    const right = { email, password: goodPassword }
    expect((await tryFrom(server, '192.0.2.1', right)).status).toBe(429)
    expect((await tryFrom(server, '192.0.2.2', right)).status).toBe(200)
  })

  it('leave each address one guess at an account that many guess at, and let its owner in', async () => {
    const server = await openAuth(db, { settings: { rateLimits: true, trustedProxies: 1 } })
    const { email } = await signUpMember(await openAuth(db))
    const wrong = { email, password: 'wrong' }
    const right = { email, password: goodPassword }
    for (let i = 0; i < 30; i++) expect((await tryFrom(server, `192.0.2.${i}`, wrong)).status).toBe(400)
    for (const status of [400, 429, 429])
      expect((await tryFrom(server, '192.0.2.100', wrong)).status).toBe(status)
    expect((await tryFrom(server, '192.0.2.5', wrong)).status).toBe(429)
    expect((await tryFrom(server, '192.0.2.5', right)).status).toBe(429)
    for (let i = 0; i < 3; i++) expect((await tryFrom(server, '198.51.100.1', right)).status).toBe(200)
  })

  it.each([
    ['mails', '/recover', () => ({ email: freshEmail() }), 'over_email_send_rate_limit'],
    ['text messages', '/otp', (n: number) => ({ phone: `49170555${1000 + n}` }), 'over_sms_send_rate_limit'],
  ])('leave others three quarters of the %s that all may have', async (what, path, body, code) => {
    const settings = { rateLimits: true, trustedProxies: 1, mailsPerHour: 48, smsPerHour: 48 }
    const server = await openAuth(db, { settings })
    const send = (n: number, address: string) =>
      server.request(path, { json: body(n), headers: from(address) })
    const greedy = what === 'mails' ? '192.0.2.77' : '192.0.2.78'
    for (let n = 0; n < 12; n++) expect((await send(n, greedy)).status).toBe(200)
    const refused = await send(12, greedy)
    expect([refused.status, await refused.json()]).toEqual([
      429,
      expect.objectContaining({ error_code: code }),
    ])
    expect((await send(13, '192.0.2.79')).status).toBe(200)
  })

  it('do not let six digits be guessed, even where limits are off', async () => {
    const server = await openAuth(db)
    const email = freshEmail()
    await server.client().signInWithOtp({ email })
    const guess = () => server.request('/verify', { json: { type: 'email', email, token: 'wrong!' } })
    for (let i = 0; i < 15; i++) expect((await guess()).status).toBe(403)
    expect((await guess()).status).toBe(429)
  })

  it('are lifted by the owner', async () => {
    const server = await openAuth(db, { settings: { rateLimits: false } })
    for (let i = 0; i < 40; i++) {
      const answer = await server.request('/token?grant_type=password', {
        json: { ...signIn, email: 'x@example.org' },
      })
      expect(answer.status).toBe(400)
    }
  })
})

describe('CAPTCHA', () => {
  let db: Database
  let provider: Awaited<ReturnType<typeof startHttpServer>>
  beforeAll(async () => {
    db = await openTestDatabase()
    provider = await startHttpServer(({ body }) => {
      const isSolved = new URLSearchParams(body).get('response') === 'solved'
      return { json: { success: isSolved, 'error-codes': isSolved ? [] : ['invalid-input-response'] } }
    })
  })
  afterAll(async () => {
    await provider.stop()
    await db.close()
  })

  const guarded = (verifyUrl = provider.url) =>
    openAuth(db, { settings: { captcha: { provider: 'turnstile', secret: 'captcha secret', verifyUrl } } })

  it('lets through only who has solved it', async () => {
    const server = await guarded()
    const signUp = (captchaToken?: string) =>
      server.client().signUp({
        email: freshEmail(),
        password: goodPassword,
        options: { ...(captchaToken && { captchaToken }) },
      })
    expect((await signUp('solved')).error).toBeNull()
    expect((await signUp('made up')).error).toMatchObject({ status: 400, code: 'captcha_failed' })
    expect((await signUp()).error).toMatchObject({ status: 400, code: 'captcha_failed' })
    const asked = new URLSearchParams(provider.received[0]?.body)
    expect(Object.fromEntries(asked)).toEqual({ secret: 'captcha secret', response: 'solved' })
  })

  it('stands before every call that mails or signs in, but not before a refresh or the secret key', async () => {
    const server = await guarded()
    const codeOf = async (path: string, json: unknown, bearer = '') =>
      (await (await server.request(path, { json, bearer })).json()).error_code
    const email = freshEmail()
    for (const path of ['/signup', '/token?grant_type=password', '/otp', '/recover', '/resend']) {
      expect([path, await codeOf(path, { email, password: goodPassword, type: 'signup' })]).toEqual([
        path,
        'captcha_failed',
      ])
    }
    expect(await codeOf('/token?grant_type=refresh_token', { refresh_token: 'abcdefghijkl' })).toBe(
      'refresh_token_not_found',
    )
    expect(await codeOf('/recover', { email }, apiKeys.secret)).toBeUndefined()
  })

  it('refuses when the provider does not answer, without saying why', async () => {
    const server = await guarded('http://127.0.0.1:1')
    const json = {
      email: freshEmail(),
      password: goodPassword,
      gotrue_meta_security: { captcha_token: 'solved' },
    }
    const answer = await server.request('/signup', { json })
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual({
      code: 500,
      error_code: 'unexpected_failure',
      msg: 'captcha verification process failed',
    })
  })
})
