import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSms, openSmsHook, openTwilio, type Sms, type SmsSender } from '#server/auth/sms.ts'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, goodPassword, openAuth } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { startHttpServer } from '#tests/support/http-server.ts'

let numbers = 0
const freshPhone = () => `4916${String(10_000_000 + numbers++)}`

describe('text messages', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  const codeTo = (phone: string) => server.texts.findLast((text) => text.phone === phone)?.code ?? ''

  it('confirm a sign-up by phone', async () => {
    const phone = freshPhone()
    const client = server.client()
    const signedUp = await client.signUp({ phone: `+${phone}`, password: goodPassword })
    expect(signedUp.data).toMatchObject({ session: null, user: { phone, email: '' } })
    expect((await client.signInWithPassword({ phone, password: goodPassword })).error?.code).toBe(
      'phone_not_confirmed',
    )
    const { data } = await client.verifyOtp({ phone, token: codeTo(phone), type: 'sms' })
    expect(data.user).toMatchObject({ phone, phone_confirmed_at: expect.any(String) })
    const again = await server.client().signUp({ phone, password: goodPassword })
    expect(again.data.user).toMatchObject({ phone, identities: [{ provider: 'phone' }] })
    expect(again.data.user?.id).not.toBe(data.user?.id)
  })

  it('sign in by a code, and make an account for newcomers', async () => {
    const phone = freshPhone()
    const client = server.client()
    const { data } = await client.signInWithOtp({ phone })
    expect(data.messageId).toEqual(expect.any(String))
    expect((await client.verifyOtp({ phone, token: codeTo(phone), type: 'sms' })).error).toBeNull()
    const refused = await server
      .client()
      .signInWithOtp({ phone: freshPhone(), options: { shouldCreateUser: false } })
    expect(refused.error).toBeNull()
    expect(refused.data.messageId).toEqual(expect.any(String))
  })

  it('come once more on request', async () => {
    const phone = freshPhone()
    await server.client().signUp({ phone, password: goodPassword })
    const first = codeTo(phone)
    const { data } = await server.client().resend({ type: 'sms', phone })
    expect(data.messageId).toEqual(expect.any(String))
    expect((await server.client().verifyOtp({ phone, token: first, type: 'sms' })).error?.code).toBe(
      'otp_expired',
    )
    expect((await server.client().verifyOtp({ phone, token: codeTo(phone), type: 'sms' })).error).toBeNull()
  })

  it('are not sent to test numbers, whose code is agreed on', async () => {
    const phone = freshPhone()
    const agreed = await openAuth(db, { settings: { testOtps: new Map([[phone, '424242']]) } })
    await agreed.client().signInWithOtp({ phone })
    expect(agreed.texts).toEqual([])
    expect((await agreed.client().verifyOtp({ phone, token: '424242', type: 'sms' })).error).toBeNull()
  })

  it('that cannot be sent are tried again for a while, and given up when they are worth nothing', async () => {
    let isDown = true
    const sent: Sms[] = []
    const sms: SmsSender = {
      name: 'test',
      send: async (message) =>
        isDown
          ? openSmsHook({ url: 'http://127.0.0.1:1', secrets: [] }).send(message)
          : { messageId: String(sent.push(message)) },
    }
    const failing = await openAuth(db, { sms })
    const [phone, late] = [freshPhone(), freshPhone()]
    expect((await failing.client().signUp({ phone, password: goodPassword })).error).toBeNull()
    isDown = false
    await vi.waitFor(() => expect(sent).toHaveLength(1), { timeout: 30_000, interval: 50 })
    const verified = await failing.client().verifyOtp({ phone, token: sent[0]?.code ?? '', type: 'sms' })
    expect(verified.error).toBeNull()

    isDown = true
    await failing.client().signUp({ phone: late, password: goodPassword })
    failing.advance(301)
    isDown = false
    await vi.waitFor(async () => expect(await jobOf(late)).toMatchObject({ state: 'failed' }), {
      timeout: 30_000,
      interval: 50,
    })
    expect(sent).toHaveLength(1)
  }, 60_000)

  const jobOf = (phone: string) =>
    db.asOwner('test', async (tx) => {
      const { rows } = await tx.query(`select state from pgboss.job where data ->> 'phone' = $1`, [phone])
      return rows[0]
    })

  it('have their own pause', async () => {
    const slow = await openAuth(db, { settings: { mailInterval: 60 } })
    const phone = freshPhone()
    await slow.client().signInWithOtp({ phone })
    expect((await slow.client().signInWithOtp({ phone })).error).toMatchObject({
      status: 429,
      code: 'over_sms_send_rate_limit',
    })
  })
})

const sms = {
  phone: '4915112345678',
  code: '123456',
  channel: 'sms' as const,
  user: { id: 'a user' } as never,
}

it('Twilio gets number, sender and text, and names the message', async () => {
  const twilio = await startHttpServer(() => ({ status: 201, json: { sid: 'SM1' } }))
  const sender = openTwilio({ accountSid: 'AC1', authToken: 'secret', from: '+1555', url: twilio.url })
  expect(await sender.send(sms)).toEqual({ messageId: 'SM1' })
  expect(await sender.send({ ...sms, channel: 'whatsapp' })).toEqual({ messageId: 'SM1' })
  const [first, second] = twilio.received
  expect(first?.path).toBe('/2010-04-01/Accounts/AC1/Messages.json')
  expect(first?.headers.authorization).toBe(`Basic ${Buffer.from('AC1:secret').toString('base64')}`)
  const fields = (body = '') => Object.fromEntries(new URLSearchParams(body))
  expect(fields(first?.body)).toEqual({
    To: '+4915112345678',
    From: '+1555',
    Body: 'Your Walking Together code is 123456',
  })
  expect(fields(second?.body)).toMatchObject({ To: 'whatsapp:+4915112345678', From: 'whatsapp:+1555' })
  await twilio.stop()
  await expect(sender.send(sms)).rejects.toThrow('did not take the text message')
})

it('a hook gets the user and the code', async () => {
  const hook = await startHttpServer(() => ({}))
  await openSmsHook({ url: hook.url, secrets: [] }).send(sms)
  expect(JSON.parse(hook.received[0]?.body ?? '')).toEqual({
    user: { id: 'a user' },
    sms: { otp: '123456', phone: '4915112345678' },
  })
  await hook.stop()
})

describe('a signed hook', () => {
  const secrets = [randomBytes(32), randomBytes(24)].map((bytes) => `whsec_${bytes.toString('base64')}`)
  const [current = '', next = ''] = secrets

  /** What reaches a real server, as the program behind it reads it. */
  const received = async (...signedWith: string[]) => {
    const hook = await startHttpServer(() => ({}))
    await openSmsHook({ url: hook.url, secrets: signedWith }).send(sms)
    await hook.stop()
    const [{ body, headers } = { body: '', headers: {} }] = hook.received
    return { body, headers: headers as Record<string, string> }
  }

  it('is believed by the standard library, whichever of two secrets it holds', async () => {
    const { body, headers } = await received(current, next)
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ sms: { otp: '123456' } })
    }
    expect((await received(current)).headers['webhook-id']).not.toBe(headers['webhook-id'])
  })

  it('is not believed with another secret, another body, another time or another id', async () => {
    const { body, headers } = await received(current)
    const webhook = new Webhook(current)
    const refused = (given: string, more: Record<string, string> = {}) =>
      expect(() => webhook.verify(given, { ...headers, ...more })).toThrow()
    expect(() => new Webhook(next).verify(body, headers)).toThrow('No matching signature')
    refused(body.replace('123456', '654321'))
    refused(body, { 'webhook-id': 'msg_another' })
    refused(body, { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 301) })
    refused(body, { 'webhook-signature': 'v1,AAAA' })
  })

  it('that has no secret sends no signature', async () => {
    expect((await received()).headers).not.toHaveProperty('webhook-signature')
  })
})

it('without a provider the message becomes a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'walking-together-sms-'))
  await openSms({ kind: 'outbox' }, folder, pino({ level: 'silent' })).send(sms)
  const [name = ''] = await readdir(join(folder, 'outbox'))
  expect(await readFile(join(folder, 'outbox', name), 'utf8')).toContain('123456')
  await rm(folder, { recursive: true })
})
