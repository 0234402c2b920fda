import type { GoTrueClient } from '@supabase/supabase-js'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, goodPassword, openAuth, signUpMember, siteUrl } from '#tests/support/auth.ts'
import { databases } from '#tests/support/databases.ts'
import { addApp } from '#tests/support/second-factor.ts'
import { SoftAuthenticator } from '#tests/support/soft-authenticator.ts'

describe.each(databases)('passkeys on %s', (_name, open) => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await open()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  const rowsOf = async (sql: string, ...values: string[]) =>
    (await db.asOwner('test', (tx) => tx.query(sql, values))).rows

  /** Somebody with a passkey, and the authenticator that holds it. */
  const newOwner = async (options: { counter?: number } = {}) => {
    const owner = await signUpMember(server)
    const authenticator = new SoftAuthenticator(siteUrl, options)
    const passkey = await register(owner.client, authenticator)
    return { ...owner, authenticator, passkey }
  }

  const register = async (client: GoTrueClient, authenticator: SoftAuthenticator) => {
    const started = await client.passkey.startRegistration()
    if (started.error) throw started.error
    const { challenge_id: challengeId, options } = started.data
    const { data, error } = await client.passkey.verifyRegistration({
      challengeId,
      credential: authenticator.create(options),
    })
    if (error) throw error
    return data
  }

  type Lies = Parameters<SoftAuthenticator['get']>[1]

  const signIn = async (authenticator: SoftAuthenticator, lies: Lies = {}) => {
    const client = server.client()
    const { data } = await client.passkey.startAuthentication()
    const options = data?.options ?? { challenge: '' }
    return client.passkey.verifyAuthentication({
      challengeId: data?.challenge_id ?? '',
      credential: authenticator.get(options, lies),
    })
  }

  it('are asked for with the site as their only party, for the device to find and to unlock', async () => {
    const { client, user, email } = await signUpMember(server)
    const { data } = await client.passkey.startRegistration()
    expect(data).toMatchObject({
      challenge_id: expect.any(String),
      expires_at: expect.any(Number),
      options: {
        rp: { id: 'site.example', name: 'Walking Together' },
        user: { id: Buffer.from(user?.id ?? '').toString('base64url'), name: email },
        attestation: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
    })
    const asked = await server.client().passkey.startAuthentication()
    expect(asked.data?.options).toMatchObject({ rpId: 'site.example', userVerification: 'required' })
    expect(asked.data?.options.allowCredentials ?? []).toEqual([])
  })

  it('sign in by themselves, with a session that says how', async () => {
    const { authenticator, user, passkey } = await newOwner()
    expect(passkey).toEqual({
      id: expect.any(String),
      friendly_name: 'Passkey',
      created_at: expect.any(String),
    })
    const { data, error } = await signIn(authenticator)
    expect(error).toBeNull()
    expect(data?.user?.id).toBe(user?.id)
    expect(decodeJwt(data?.session?.access_token ?? '')).toMatchObject({
      aal: 'aal1',
      amr: [{ method: 'passkey' }],
    })
    const refreshed = await server.client().refreshSession({
      refresh_token: data?.session?.refresh_token ?? '',
    })
    expect(refreshed.error).toBeNull()
  })

  it('are listed, named and removed by their owner', async () => {
    const { client, authenticator, passkey } = await newOwner()
    await signIn(authenticator)
    const { data: listed } = await client.passkey.list()
    expect(listed).toEqual([{ ...passkey, last_used_at: expect.any(String) }])
    const renamed = await client.passkey.update({ passkeyId: passkey.id, friendlyName: ' Laptop ' })
    expect(renamed.data).toMatchObject({ id: passkey.id, friendly_name: 'Laptop' })
    const { data } = await client.passkey.startRegistration()
    expect(data?.options.excludeCredentials).toMatchObject([
      { id: authenticator.id, transports: ['internal', 'hybrid'] },
    ])
    expect((await client.passkey.delete({ passkeyId: passkey.id })).error).toBeNull()
    expect((await client.passkey.list()).data).toEqual([])
    expect((await signIn(authenticator)).error).toMatchObject({
      status: 400,
      code: 'webauthn_credential_not_found',
    })
  })

  it('are listed and removed with the secret key', async () => {
    const { user, passkey, authenticator } = await newOwner()
    const userId = user?.id ?? ''
    expect((await server.admin.passkey.listPasskeys({ userId })).data).toMatchObject([{ id: passkey.id }])
    expect((await server.admin.passkey.deletePasskey({ userId, passkeyId: passkey.id })).error).toBeNull()
    expect((await signIn(authenticator)).error?.code).toBe('webauthn_credential_not_found')
  })

  it('are nobody else’s to name or remove', async () => {
    const { passkey } = await newOwner()
    const stranger = await signUpMember(server)
    const refusal = { status: 404, code: 'webauthn_credential_not_found' }
    const named = await stranger.client.passkey.update({ passkeyId: passkey.id, friendlyName: 'Mine' })
    expect(named.error).toMatchObject(refusal)
    expect((await stranger.client.passkey.delete({ passkeyId: passkey.id })).error).toMatchObject(refusal)
  })

  it('are ten at most', async () => {
    const { client } = await signUpMember(server)
    const spare = await client.passkey.startRegistration()
    for (let i = 0; i < 10; i++) await register(client, new SoftAuthenticator(siteUrl))
    const refusal = { status: 422, code: 'too_many_passkeys' }
    expect((await client.passkey.startRegistration()).error).toMatchObject(refusal)
    const late = await client.passkey.verifyRegistration({
      challengeId: spare.data?.challenge_id ?? '',
      credential: new SoftAuthenticator(siteUrl).create(spare.data?.options ?? expect.unreachable()),
    })
    expect(late.error).toMatchObject(refusal)
  })

  it('cannot be registered twice, by whomever', async () => {
    const { authenticator } = await newOwner()
    const stranger = await signUpMember(server)
    await expect(register(stranger.client, authenticator)).rejects.toMatchObject({
      status: 422,
      code: 'webauthn_credential_exists',
    })
  })

  it('are added and removed in a session at aal2 only, where there is a second factor', async () => {
    const { client, email, passkey } = await newOwner()
    await addApp(server, client)
    const thief = server.client()
    await thief.signInWithPassword({ email, password: goodPassword })
    const refusal = { status: 403, code: 'insufficient_aal' }
    expect((await thief.passkey.startRegistration()).error).toMatchObject(refusal)
    expect((await thief.passkey.delete({ passkeyId: passkey.id })).error).toMatchObject(refusal)
    expect((await client.passkey.startRegistration()).error).toBeNull()
  })

  it('are not for anonymous people, nor for accounts that nobody has confirmed', async () => {
    const open = await openAuth(db, { settings: { anonymous: true } })
    const client = open.client()
    await client.signInAnonymously()
    expect((await client.passkey.startRegistration()).error).toMatchObject({ status: 403 })
    const { client: unconfirmed, user } = await signUpMember(server)
    await rowsOf('update auth.users set email_confirmed_at = null where id = $1', user?.id ?? '')
    expect((await unconfirmed.passkey.startRegistration()).error).toMatchObject({
      status: 422,
      code: 'email_not_confirmed',
    })
  })

  it('do not let a banned person in', async () => {
    const { authenticator, user } = await newOwner()
    await server.admin.updateUserById(user?.id ?? '', { ban_duration: '1h' })
    expect((await signIn(authenticator)).error).toMatchObject({ status: 400, code: 'user_banned' })
  })

  describe('are refused', () => {
    it.each<[what: string, lies: Lies]>([
      ['for another site', { origin: 'http://evil.example' }],
      ['for another party', { rpId: 'evil.example' }],
      ['for another challenge', { challenge: 'AAAA' }],
      ['of another ceremony', { type: 'webauthn.create' }],
      ['without finger, face or PIN', { userVerified: false }],
      ['of another person', { userHandle: Buffer.from('somebody else').toString('base64url') }],
    ])('when signed %s', async (_what, lies) => {
      const { authenticator } = await newOwner()
      expect((await signIn(authenticator, lies)).error).toMatchObject({
        status: 400,
        code: 'webauthn_verification_failed',
      })
      expect((await signIn(authenticator)).error).toBeNull()
    })

    it.each<[what: string, lies: Lies]>([
      ['for another site', { origin: 'http://evil.example' }],
      ['for another party', { rpId: 'evil.example' }],
      ['for another challenge', { challenge: 'AAAA' }],
      ['of another ceremony', { type: 'webauthn.get' }],
      ['without finger, face or PIN', { userVerified: false }],
      ['with a certificate that nobody asked for', { format: 'apple' }],
    ])('when made %s', async (_what, lies) => {
      const { client } = await signUpMember(server)
      const { data } = await client.passkey.startRegistration()
      const { error } = await client.passkey.verifyRegistration({
        challengeId: data?.challenge_id ?? '',
        credential: new SoftAuthenticator(siteUrl).create(data?.options ?? expect.unreachable(), lies),
      })
      expect(error).toMatchObject({ status: 400, code: 'webauthn_verification_failed' })
      expect((await client.passkey.list()).data).toEqual([])
    })

    it('when their counter goes back: there is a copy of the key', async () => {
      const { authenticator, user } = await newOwner({ counter: 5 })
      expect((await signIn(authenticator)).error).toBeNull()
      expect((await signIn(authenticator, { counter: 6 })).error?.code).toBe('webauthn_verification_failed')
      const entries = await rowsOf(
        `select payload -> 'traits' ->> 'reason' as reason from auth.audit_log_entries
         where payload ->> 'action' = 'verification_refused' and payload ->> 'actor_id' = $1`,
        user?.id ?? '',
      )
      expect(entries).toEqual([{ reason: 'webauthn_verification_failed' }])
      expect((await signIn(authenticator)).error).toBeNull()
    })

    it('when their signature is replayed, wrong or late', async () => {
      const { authenticator } = await newOwner()
      const client = server.client()
      const asked = (await client.passkey.startAuthentication()).data
      const [challengeId, options] = [asked?.challenge_id ?? '', asked?.options ?? { challenge: '' }]
      const credential = authenticator.get(options)
      expect((await client.passkey.verifyAuthentication({ challengeId, credential })).error).toBeNull()
      const replayed = await client.passkey.verifyAuthentication({ challengeId, credential })
      expect(replayed.error).toMatchObject({ status: 400, code: 'webauthn_challenge_not_found' })
      const late = (await client.passkey.startAuthentication()).data
      server.advance(301)
      const answer = authenticator.get(late?.options ?? { challenge: '' })
      const expired = await client.passkey.verifyAuthentication({
        challengeId: late?.challenge_id ?? '',
        credential: answer,
      })
      expect(expired.error).toMatchObject({ status: 400, code: 'webauthn_challenge_expired' })
    })

    it('when the challenge of a registration is another person’s, another session’s or a sign-in’s', async () => {
      const { client, email } = await signUpMember(server)
      const second = server.client()
      await second.signInWithPassword({ email, password: goodPassword })
      const stranger = (await signUpMember(server)).client
      const { data } = await client.passkey.startRegistration()
      const credential = new SoftAuthenticator(siteUrl).create(data?.options ?? expect.unreachable())
      const challengeId = data?.challenge_id ?? ''
      const refusal = { status: 400, code: 'webauthn_challenge_not_found' }
      for (const other of [stranger, second]) {
        expect((await other.passkey.verifyRegistration({ challengeId, credential })).error).toMatchObject(
          refusal,
        )
      }
      const forSignIn = await client.passkey.verifyAuthentication({ challengeId, credential })
      expect(forSignIn.error).toMatchObject(refusal)
      const { data: ofSignIn } = await client.passkey.startAuthentication()
      const crossed = { challengeId: ofSignIn?.challenge_id ?? '', credential }
      expect((await client.passkey.verifyRegistration(crossed)).error).toMatchObject(refusal)
      // None of the attempts has used up the owner's own challenge.
      expect((await client.passkey.verifyRegistration({ challengeId, credential })).error).toBeNull()
    })
  })
})
