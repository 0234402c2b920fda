import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, goodPassword, openAuth, signUpMember, siteUrl } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { memberWithPasskey, registerPasskey, signInBy } from '#tests/support/passkeys.ts'
import { addApp } from '#tests/support/second-factor.ts'
import { SoftAuthenticator } from '#tests/support/soft-authenticator.ts'

describe('passkeys', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  const rowsOf = async (sql: string, ...values: string[]) =>
    (await db.asOwner('test', (tx) => tx.query(sql, values))).rows

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
    const { authenticator, user, passkey } = await memberWithPasskey(server)
    expect(passkey).toEqual({
      id: expect.any(String),
      friendly_name: 'Passkey',
      created_at: expect.any(String),
    })
    const { data, error } = await signInBy(server, authenticator)
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
    const { client, authenticator, passkey } = await memberWithPasskey(server)
    await signInBy(server, authenticator)
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
    expect((await signInBy(server, authenticator)).error).toMatchObject({
      status: 400,
      code: 'webauthn_credential_not_found',
    })
  })

  it('are listed and removed with the secret key', async () => {
    const { user, passkey, authenticator } = await memberWithPasskey(server)
    const userId = user?.id ?? ''
    expect((await server.admin.passkey.listPasskeys({ userId })).data).toMatchObject([{ id: passkey.id }])
    expect((await server.admin.passkey.deletePasskey({ userId, passkeyId: passkey.id })).error).toBeNull()
    expect((await signInBy(server, authenticator)).error?.code).toBe('webauthn_credential_not_found')
  })

  it('are nobody else’s to name or remove', async () => {
    const { passkey } = await memberWithPasskey(server)
    const stranger = await signUpMember(server)
    const refusal = { status: 404, code: 'webauthn_credential_not_found' }
    const named = await stranger.client.passkey.update({ passkeyId: passkey.id, friendlyName: 'Mine' })
    expect(named.error).toMatchObject(refusal)
    expect((await stranger.client.passkey.delete({ passkeyId: passkey.id })).error).toMatchObject(refusal)
  })

  it('are ten at most', async () => {
    const { client } = await signUpMember(server)
    const spare = await client.passkey.startRegistration()
    for (let i = 0; i < 10; i++) await registerPasskey(client, new SoftAuthenticator(siteUrl))
    const refusal = { status: 422, code: 'too_many_passkeys' }
    expect((await client.passkey.startRegistration()).error).toMatchObject(refusal)
    const late = await client.passkey.verifyRegistration({
      challengeId: spare.data?.challenge_id ?? '',
      credential: new SoftAuthenticator(siteUrl).create(spare.data?.options ?? expect.unreachable()),
    })
    expect(late.error).toMatchObject(refusal)
  })

  it('cannot be registered twice, by whomever', async () => {
    const { authenticator } = await memberWithPasskey(server)
    const stranger = await signUpMember(server)
    await expect(registerPasskey(stranger.client, authenticator)).rejects.toMatchObject({
      status: 422,
      code: 'webauthn_credential_exists',
    })
  })

  it('are added and removed in a session at aal2 only, where there is a second factor', async () => {
    const { client, email, passkey } = await memberWithPasskey(server)
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
    const { authenticator, user } = await memberWithPasskey(server)
    await server.admin.updateUserById(user?.id ?? '', { ban_duration: '1h' })
    expect((await signInBy(server, authenticator)).error).toMatchObject({ status: 400, code: 'user_banned' })
  })
})
