import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, codeIn, freshEmail, goodPassword, openAuth, siteUrl } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { type OpenIdProvider, startOpenIdProvider } from '#tests/support/openid-provider.ts'

describe('unlinking an identity', () => {
  let db: Database
  let peer: OpenIdProvider
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    peer = await startOpenIdProvider({ users: [], redirectUri: `${siteUrl}/auth/v1/callback` })
    server = await openAuth(db, {
      settings: {
        providers: new Map([
          ['keycloak', peer.settings],
          ['other', { ...peer.settings }],
        ]),
      },
    })
  })
  afterAll(async () => {
    await peer.stop()
    await db.close()
  })

  const person = (email = freshEmail(), verified = true) => ({
    sub: freshEmail(),
    email,
    email_verified: verified,
  })
  /** Somebody who has never had anything but an account at a provider. */
  async function byProvider(email = freshEmail()) {
    const client = server.client()
    const token = await peer.idToken(person(email))
    const { data, error } = await client.signInWithIdToken({ provider: 'keycloak', token })
    if (error) throw error
    return { client, email, id: data.user.id }
  }
  async function link(bearer: string, provider: string, who = person()) {
    const json = { provider, id_token: await peer.idToken(who), link_identity: true }
    const answer = await server.request('/token?grant_type=id_token', { json, bearer })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const bearerOf = async (client: ReturnType<AuthServer['client']>) =>
    (await client.getSession()).data.session?.access_token ?? ''
  const identity = async (client: ReturnType<AuthServer['client']>, provider: string) => {
    const found = (await client.getUserIdentities()).data?.identities.find((one) => one.provider === provider)
    if (!found) throw new Error(`there is no identity of ${provider}`)
    return found
  }
  const signIn = (email: string, password = goodPassword) =>
    server.client().signInWithPassword({ email, password })

  it('leaves a password that was set on an account from a provider', async () => {
    const { client, email } = await byProvider()
    expect((await client.updateUser({ password: goodPassword })).error).toBeNull()
    await link(await bearerOf(client), 'other')
    expect((await client.unlinkIdentity(await identity(client, 'other'))).error).toBeNull()
    expect((await signIn(email)).error).toBeNull()
  })

  it('leaves the password when the address goes on with another one that is vouched for', async () => {
    const { client, email } = await byProvider()
    await client.updateUser({ password: goodPassword })
    const second = freshEmail()
    await link(await bearerOf(client), 'other', person(second))
    expect((await client.unlinkIdentity(await identity(client, 'keycloak'))).error).toBeNull()
    expect((await signIn(second)).error).toBeNull()
    expect((await signIn(email)).error?.code).toBe('invalid_credentials')
  })

  it('voids the links that were mailed to an address that goes with it, and ends other sessions', async () => {
    const { client, email } = await byProvider()
    await client.updateUser({ password: goodPassword })
    const other = server.client()
    await other.signInWithPassword({ email, password: goodPassword })
    const second = freshEmail()
    await link(await bearerOf(client), 'other', person(second))
    await server.client().resetPasswordForEmail(email)
    const mail = server.mails.findLast(({ to }) => to === email)
    await client.unlinkIdentity(await identity(client, 'keycloak'))
    const { error } = await server
      .client()
      .verifyOtp({ email: second, token: codeIn(mail), type: 'recovery' })
    expect(error?.code).toBe('otp_expired')
    expect((await other.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await client.getUser()).error).toBeNull()
  })

  it('leaves a way in: a provider that is switched off by now is none', async () => {
    const { client, id } = await byProvider()
    await link(await bearerOf(client), 'other')
    // Nobody has proved the address, so that no link is mailed to it.
    await db.asOwner('test', (tx) =>
      tx.query('update auth.users set email = null, email_confirmed_at = null where id = $1', [id]),
    )
    const later = await openAuth(db, {
      settings: { ...server.deps.settings, providers: new Map([['keycloak', peer.settings]]) },
    })
    const bearer = await bearerOf(client)
    const { identity_id: last } = await identity(client, 'keycloak')
    const refused = await later.request(`/user/identities/${last}`, { method: 'DELETE', bearer })
    expect([refused.status, (await refused.json()).error_code]).toEqual([
      422,
      'single_identity_not_deletable',
    ])
    const { identity_id: useless } = await identity(client, 'other')
    expect((await later.request(`/user/identities/${useless}`, { method: 'DELETE', bearer })).status).toBe(
      200,
    )
  })

  it('by two tabs at once leaves one', async () => {
    const { client } = await byProvider()
    await link(await bearerOf(client), 'other')
    const bearer = await bearerOf(client)
    const both = [await identity(client, 'keycloak'), await identity(client, 'other')]
    const answers = await Promise.all(
      both.map((one) => server.request(`/user/identities/${one.identity_id}`, { method: 'DELETE', bearer })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect((await client.getUserIdentities()).data?.identities).toHaveLength(1)
  })
})
