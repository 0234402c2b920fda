import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, openAuth, signUpMember } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

describe('second factors', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  const rowsOf = async (sql: string, ...values: string[]) =>
    (await db.asOwner('test', (tx) => tx.query(sql, values))).rows

  describe('a phone', () => {
    let numbers = 0
    const freshPhone = () => `4917${Date.now() % 100_000}${String(numbers++).padStart(3, '0')}`
    const codeTo = (phone: string) => server.texts.findLast((text) => text.phone === phone)?.code ?? ''

    it('gets a code, and lifts the session', async () => {
      const { client } = await signUpMember(server)
      const phone = freshPhone()
      const { data } = await client.mfa.enroll({
        factorType: 'phone',
        phone: `+${phone}`,
        friendlyName: 'SMS',
      })
      expect(data).toEqual({ id: expect.any(String), type: 'phone', friendly_name: 'SMS', phone })
      const factorId = data?.id ?? ''
      const challenge = await client.mfa.challenge({ factorId, channel: 'whatsapp' })
      expect(server.texts.at(-1)).toMatchObject({ phone, channel: 'whatsapp' })
      const verified = await client.mfa.verify({
        factorId,
        challengeId: challenge.data?.id ?? '',
        code: codeTo(phone),
      })
      expect(decodeJwt(verified.data?.access_token ?? '')).toMatchObject({
        aal: 'aal2',
        amr: [{ method: 'mfa/phone' }, { method: 'password' }],
      })
    })

    it('is kept as a digest of its code, which works for its own challenge only', async () => {
      const { client } = await signUpMember(server)
      const phone = freshPhone()
      const factorId = (await client.mfa.enroll({ factorType: 'phone', phone })).data?.id ?? ''
      const first = (await client.mfa.challenge({ factorId, channel: 'sms' })).data?.id ?? ''
      const code = codeTo(phone)
      const second = (await client.mfa.challenge({ factorId, channel: 'sms' })).data?.id ?? ''
      const kept = await rowsOf('select otp_code from auth.mfa_challenges where id = $1', first)
      expect(kept).toEqual([{ otp_code: expect.stringMatching(/^[\da-f]{64}$/) }])
      const stale = await client.mfa.verify({ factorId, challengeId: second, code })
      expect(stale.error?.code).toBe('mfa_verification_failed')
      expect((await client.mfa.verify({ factorId, challengeId: first, code })).error).toBeNull()
    })

    it('with an agreed code gets no message', async () => {
      const phone = freshPhone()
      const agreed = await openAuth(db, { settings: { testOtps: new Map([[phone, '424242']]) } })
      const { client } = await signUpMember(agreed)
      const factorId = (await client.mfa.enroll({ factorType: 'phone', phone })).data?.id ?? ''
      expect((await client.mfa.challengeAndVerify({ factorId, code: '424242' })).error).toBeNull()
      expect(agreed.texts).toEqual([])
    })

    it('has a pause between two messages', async () => {
      const slow = await openAuth(db, { settings: { mailInterval: 60 } })
      const { client } = await signUpMember(slow)
      const factorId = (await client.mfa.enroll({ factorType: 'phone', phone: freshPhone() })).data?.id ?? ''
      expect((await client.mfa.challenge({ factorId, channel: 'sms' })).error).toBeNull()
      expect((await client.mfa.challenge({ factorId, channel: 'sms' })).error).toMatchObject({
        status: 429,
        code: 'over_sms_send_rate_limit',
      })
    })

    it('that is verified cannot be added twice; one that is not is replaced', async () => {
      const { client } = await signUpMember(server)
      const phone = freshPhone()
      const first = await client.mfa.enroll({ factorType: 'phone', phone })
      const second = await client.mfa.enroll({ factorType: 'phone', phone })
      expect(second.error).toBeNull()
      expect(second.data?.id).not.toBe(first.data?.id)
      const factorId = second.data?.id ?? ''
      const { data } = await client.mfa.challenge({ factorId, channel: 'sms' })
      await client.mfa.verify({ factorId, challengeId: data?.id ?? '', code: codeTo(phone) })
      expect((await client.mfa.enroll({ factorType: 'phone', phone })).error).toMatchObject({
        status: 422,
        code: 'mfa_verified_factor_exists',
      })
    })
  })
})
