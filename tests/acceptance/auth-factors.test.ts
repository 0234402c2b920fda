import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, freshEmail, goodPassword, openAuth, signUpMember } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { addApp, phoneApp } from '#tests/support/second-factor.ts'

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

  const signedInAgain = async (email: string) => {
    const client = server.client()
    const { data, error } = await client.signInWithPassword({ email, password: goodPassword })
    if (error) throw error
    return { client, session: data.session }
  }

  describe('an authenticator app', () => {
    it('is added by a picture, a secret and an address that say the same', async () => {
      const { client, email } = await signUpMember(server)
      const { data, error } = await client.mfa.enroll({
        factorType: 'totp',
        friendlyName: 'My phone',
        issuer: 'Walking Together',
      })
      expect(error).toBeNull()
      expect(data).toMatchObject({ id: expect.any(String), type: 'totp', friendly_name: 'My phone' })
      const uri = new URL(data?.totp.uri ?? '')
      expect(uri.protocol).toBe('otpauth:')
      expect(decodeURIComponent(uri.pathname)).toContain(`Walking Together:${email}`)
      expect(uri.searchParams.get('secret')).toBe(data?.totp.secret)
      expect(data?.totp.secret).toMatch(/^[A-Z2-7]{32}$/)
      // As the client makes a data address of it, in which a # would end the picture.
      expect(data?.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#]*<\/svg>$/)
    })

    it('lifts the session to aal2, and keeps its id', async () => {
      const { client, session: before } = await signUpMember(server)
      const { session } = await addApp(server, client)
      const [old, lifted] = [decodeJwt(before.access_token), decodeJwt(session.access_token)]
      expect(old).toMatchObject({ aal: 'aal1' })
      expect(lifted).toMatchObject({ aal: 'aal2', session_id: old.session_id })
      expect(lifted.amr).toEqual([
        { method: 'totp', timestamp: expect.any(Number) },
        { method: 'password', timestamp: expect.any(Number) },
      ])
      expect(session.refresh_token).not.toBe(before.refresh_token)
      expect(session.user.factors).toMatchObject([{ factor_type: 'totp', status: 'verified' }])
      expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
        currentLevel: 'aal2',
        nextLevel: 'aal2',
      })
      const { data } = await client.refreshSession()
      expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ aal: 'aal2' })
    })

    it('is asked for after the next sign-in by password', async () => {
      const { client, email } = await signUpMember(server)
      const { factorId, app } = await addApp(server, client)
      const again = await signedInAgain(email)
      expect((await again.client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
        currentLevel: 'aal1',
        nextLevel: 'aal2',
      })
      expect((await again.client.mfa.listFactors()).data?.totp).toMatchObject([{ id: factorId }])
      const { data } = await again.client.mfa.challenge({ factorId })
      expect(data).toEqual({ id: expect.any(String), type: 'totp', expires_at: expect.any(Number) })
      const challengeId = data?.id ?? ''
      const verified = await again.client.mfa.verify({ factorId, challengeId, code: app.code() })
      expect(verified.error).toBeNull()
      expect(decodeJwt(verified.data?.access_token ?? '')).toMatchObject({ aal: 'aal2' })
    })

    it('may be a step ahead or behind, and no further', async () => {
      const { client } = await signUpMember(server)
      const { factorId, app } = await addApp(server, client)
      server.advance(120)
      const attempt = async (steps: number) =>
        (await client.mfa.challengeAndVerify({ factorId, code: app.code(steps) })).error?.code
      expect(await attempt(-2)).toBe('mfa_verification_failed')
      expect(await attempt(2)).toBe('mfa_verification_failed')
      expect(await attempt(-1)).toBeUndefined()
      expect(await attempt(1)).toBeUndefined()
    })

    it('ends the sessions that have given a password only, and no others', async () => {
      const { client, email } = await signUpMember(server)
      const { factorId, app } = await addApp(server, client)
      const passwordOnly = await signedInAgain(email)
      const second = await signedInAgain(email)
      await second.client.mfa.challengeAndVerify({ factorId, code: app.code() })
      expect((await passwordOnly.client.getUser()).error?.name).toBe('AuthSessionMissingError')
      const { refresh_token } = passwordOnly.session
      const revived = await server.client().refreshSession({ refresh_token })
      expect(revived.error?.code).toBe('refresh_token_not_found')
      expect((await client.getUser()).error).toBeNull()
    })

    it('makes enrolments vanish that nobody has finished', async () => {
      const { client } = await signUpMember(server)
      await client.mfa.enroll({ factorType: 'totp', friendlyName: 'given up' })
      await addApp(server, client, 'in use')
      expect((await client.mfa.listFactors()).data?.all).toMatchObject([{ friendly_name: 'in use' }])
    })

    it('that is taken away takes the second step with it', async () => {
      const { client, email } = await signUpMember(server)
      const { factorId } = await addApp(server, client)
      expect((await client.mfa.unenroll({ factorId })).data).toEqual({ id: factorId })
      const { data } = await client.refreshSession()
      expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({
        aal: 'aal1',
        amr: [{ method: 'password' }],
      })
      expect((await client.getUser()).data.user?.factors).toBeUndefined()
      const again = await signedInAgain(email)
      expect((await again.client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
        nextLevel: 'aal1',
      })
    })
  })

  describe('a session at aal1 of an account with a second factor', () => {
    const stolen = async () => {
      const owner = await signUpMember(server)
      const { factorId } = await addApp(server, owner.client)
      return { ...(await signedInAgain(owner.email)), factorId }
    }

    it('may add no factor and remove none', async () => {
      const { client, factorId } = await stolen()
      expect((await client.mfa.enroll({ factorType: 'totp' })).error).toMatchObject({
        status: 403,
        code: 'insufficient_aal',
      })
      expect((await client.mfa.unenroll({ factorId })).error).toMatchObject({
        status: 422,
        code: 'insufficient_aal',
      })
    })

    it.each([
      ['password', { password: 'another-horse-9' }],
      ['e-mail address', { email: freshEmail() }],
      ['phone', { phone: '4915799999999' }],
    ])('may not change the %s', async (_what, change) => {
      const { client } = await stolen()
      expect((await client.updateUser(change)).error).toMatchObject({ status: 401, code: 'insufficient_aal' })
    })

    it('may still change what opens nothing', async () => {
      const { client } = await stolen()
      expect((await client.updateUser({ data: { favourite: 'blue' } })).error).toBeNull()
    })
  })

  describe('the secret', () => {
    it('is sealed where it is kept, in no list, and in no second answer', async () => {
      const { client, user } = await signUpMember(server)
      const { data } = await client.mfa.enroll({ factorType: 'totp' })
      const secret = data?.totp.secret ?? ''
      const kept = await rowsOf('select secret from auth.mfa_factors where user_id = $1', user?.id ?? '')
      expect(kept).toEqual([{ secret: expect.stringMatching(/^sealed\.v1\./) }])
      expect(JSON.stringify(kept)).not.toContain(secret)
      expect(JSON.stringify((await client.getUser()).data)).not.toContain(secret)
      const entries = await rowsOf('select payload from auth.audit_log_entries')
      expect(JSON.stringify(entries)).not.toContain(secret)
    })

    it('that came unsealed from a Supabase project works', async () => {
      const { client, user } = await signUpMember(server)
      const { data } = await client.mfa.enroll({ factorType: 'totp' })
      await rowsOf(
        'update auth.mfa_factors set secret = $2 where id = $1',
        data?.id ?? '',
        'JBSWY3DPEHPK3PXP',
      )
      const code = phoneApp(server, 'JBSWY3DPEHPK3PXP').code()
      expect((await client.mfa.challengeAndVerify({ factorId: data?.id ?? '', code })).error).toBeNull()
      expect(user?.id).toBeDefined()
    })
  })

  it('leave their history in the audit log', async () => {
    const { client, user } = await signUpMember(server)
    const { factorId } = await addApp(server, client)
    await client.mfa.challengeAndVerify({ factorId, code: '000000' })
    await client.mfa.unenroll({ factorId })
    const entries = await rowsOf(
      `select payload ->> 'action' as action, payload -> 'traits' ->> 'reason' as reason from auth.audit_log_entries
       where payload ->> 'actor_id' = $1 and payload ->> 'log_type' = 'factor' order by created_at`,
      user?.id ?? '',
    )
    expect(entries).toEqual([
      { action: 'factor_in_progress', reason: null },
      { action: 'challenge_created', reason: null },
      { action: 'mfa_code_login', reason: null },
      { action: 'challenge_created', reason: null },
      { action: 'verification_refused', reason: 'mfa_verification_failed' },
      { action: 'factor_unenrolled', reason: null },
    ])
  })
})
