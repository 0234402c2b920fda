import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, goodPassword, openAuth, signUpMember, siteUrl } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { memberWithPasskey, signInBy } from '#tests/support/passkeys.ts'
import { type Lies, SoftAuthenticator } from '#tests/support/soft-authenticator.ts'

describe('passkeys are refused', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  const rowsOf = async (sql: string, ...values: string[]) =>
    (await db.asOwner('test', (tx) => tx.query(sql, values))).rows

  it.each<[what: string, lies: Lies]>([
    ['for another site', { origin: 'http://evil.example' }],
    ['for another party', { rpId: 'evil.example' }],
    ['for another challenge', { challenge: 'AAAA' }],
    ['of another ceremony', { type: 'webauthn.create' }],
    ['without finger, face or PIN', { userVerified: false }],
    ['of another person', { userHandle: Buffer.from('somebody else').toString('base64url') }],
  ])('when signed %s', async (_what, lies) => {
    const { authenticator } = await memberWithPasskey(server)
    expect((await signInBy(server, authenticator, lies)).error).toMatchObject({
      status: 400,
      code: 'webauthn_verification_failed',
    })
    expect((await signInBy(server, authenticator)).error).toBeNull()
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
    const { authenticator, user } = await memberWithPasskey(server, { counter: 5 })
    expect((await signInBy(server, authenticator)).error).toBeNull()
    expect((await signInBy(server, authenticator, { counter: 6 })).error?.code).toBe(
      'webauthn_verification_failed',
    )
    const entries = await rowsOf(
      `select payload -> 'traits' ->> 'reason' as reason from auth.audit_log_entries
         where payload ->> 'action' = 'verification_refused' and payload ->> 'actor_id' = $1`,
      user?.id ?? '',
    )
    expect(entries).toEqual([{ reason: 'webauthn_verification_failed' }])
    expect((await signInBy(server, authenticator)).error).toBeNull()
  })

  it('when their signature is replayed, wrong or late', async () => {
    const { authenticator } = await memberWithPasskey(server)
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
