import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import {
  type AuthServer,
  freshEmail,
  goodPassword,
  openAuth,
  signUpMember,
  siteUrl,
} from '#tests/support/auth.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { type OpenIdProvider, type OpenIdUser, startOpenIdProvider } from '#tests/support/openid-provider.ts'
import { addApp, memberWithApp } from '#tests/support/second-factor.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

describe('whoever has only the password of an account with a second factor', () => {
  let db: Database
  let peer: OpenIdProvider
  let server: AuthServer
  let bearer: string
  let factorId: string
  let identityId: string
  const users: OpenIdUser[] = []
  let owner: Awaited<ReturnType<typeof memberWithApp>>['owner']
  beforeAll(async () => {
    db = await openTestDatabase()
    peer = await startOpenIdProvider({ users, redirectUri: `${siteUrl}/auth/v1/callback` })
    server = await openAuth(db, { settings: { providers: new Map([['keycloak', peer.settings]]) } })
    const member = await memberWithApp(server)
    owner = member.owner
    factorId = member.factorId
    const { data } = await member.client.getSession()
    bearer = data.session?.access_token ?? ''
    identityId = owner.user?.identities?.[0]?.identity_id ?? ''
  })
  afterAll(async () => {
    await peer.stop()
    await db.close()
  })

  const person = (more = {}) => ({ sub: freshEmail(), email: freshEmail(), email_verified: true, ...more })
  /** All that is a way into the account, to see that nothing of it has changed. */
  const waysIn = async () =>
    (
      await db.asOwner('test', (tx) =>
        tx.query(
          `select encrypted_password, email, phone, email_change, phone_change,
             (select count(*) from auth.identities where user_id = u.id) as identities,
             (select count(*) from auth.mfa_factors where user_id = u.id) as factors,
             (select count(*) from auth.webauthn_credentials where user_id = u.id) as passkeys,
             (select count(*) from auth.flow_state where linking_target_id = u.id) as departures
           from auth.users u where id = $1`,
          [owner.user?.id ?? ''],
        ),
      )
    ).rows[0]

  it.each<[what: string, status: number, method: string, path: () => string, json?: object]>([
    ['a new password', 401, 'PUT', () => '/user', { password: 'of-the-thief-12' }],
    ['a new address', 401, 'PUT', () => '/user', { email: freshEmail() }],
    ['a new phone', 401, 'PUT', () => '/user', { phone: '4915100000001' }],
    ['a departure to link', 403, 'GET', () => '/user/identities/authorize?provider=keycloak'],
    ['an unlinking', 403, 'DELETE', () => `/user/identities/${identityId}`],
    ['another factor', 403, 'POST', () => '/factors', { factor_type: 'totp' }],
    ['no factor any more', 422, 'DELETE', () => `/factors/${factorId}`],
    ['no factor any more, in capitals', 422, 'DELETE', () => `/factors/${factorId.toUpperCase()}`],
    ['recovery codes', 403, 'POST', () => '/factors/recovery-codes', {}],
    ['new recovery codes', 403, 'POST', () => '/factors/recovery-codes/regenerate', {}],
    ['no recovery codes any more', 403, 'DELETE', () => '/factors/recovery-codes'],
    ['a passkey', 403, 'POST', () => '/passkeys/registration/options', {}],
    [
      'a passkey that is made already',
      403,
      'POST',
      () => '/passkeys/registration/verify',
      { challenge_id: NOBODY, credential: {} },
    ],
    ['no passkey any more', 403, 'DELETE', () => `/passkeys/${NOBODY}`],
  ])('gets %s refused with %i insufficient_aal', async (_what, status, method, path, json) => {
    const before = await waysIn()
    const answer = await server.request(path(), { method, bearer, ...(json && { json }) })
    expect([answer.status, (await answer.json()).error_code]).toEqual([status, 'insufficient_aal'])
    expect(await waysIn()).toEqual(before)
  })

  it('links no identity by an ID token', async () => {
    const json = { provider: 'keycloak', id_token: await peer.idToken(person()), link_identity: true }
    const answer = await server.request('/token?grant_type=id_token', { json, bearer })
    expect([answer.status, (await answer.json()).error_code]).toEqual([403, 'insufficient_aal'])
    expect(await waysIn()).toMatchObject({ identities: 1 })
  })

  it('may change what is no way in', async () => {
    const answer = await server.request('/user', { method: 'PUT', bearer, json: { data: { theme: 'dark' } } })
    expect(answer.status).toBe(200)
  })

  it('leaves no identity behind by coming from a provider with the same address', async () => {
    const thief = person({ email: owner.email })
    const token = await peer.idToken(thief)
    const { data } = await server.client().signInWithIdToken({ provider: 'keycloak', token })
    expect(data.user?.id).toBe(owner.user?.id)
    expect(await waysIn()).toMatchObject({ identities: 1 })
    const { error } = await owner.client.updateUser({ data: { seen: true } })
    expect(error).toBeNull()
  })

  it('is allowed all of it with the second factor', async () => {
    const { client } = owner
    const session = (await client.getSession()).data.session
    const id_token = await peer.idToken(person())
    const json = { provider: 'keycloak', id_token, link_identity: true }
    const linked = await server.request('/token?grant_type=id_token', {
      json,
      bearer: session?.access_token ?? '',
    })
    expect(linked.status).toBe(200)
    const { data } = await client.getUserIdentities()
    const added = data?.identities.find(({ provider }) => provider === 'keycloak')
    if (!added) throw new Error('the identity was not linked')
    expect((await client.unlinkIdentity(added)).error).toBeNull()
    expect((await client.updateUser({ password: 'another-good-one-7' })).error).toBeNull()
  })

  it('completes no departure that was begun before the factor was there', async () => {
    const email = freshEmail()
    const first = await signUpMember(server, email)
    const browser = openBrowser(server)
    const other = server.client('implicit', browser.fetch)
    await other.signInWithPassword({ email, password: goodPassword })
    const { data } = await other.linkIdentity({ provider: 'keycloak' })
    const someone = person({ name: 'Somebody' })
    users.push(someone)
    peer.be(someone.sub)
    await addApp(server, first.client)
    const { url } = await browser.go(data?.url ?? '')
    expect(url.searchParams.get('error_code')).toBe('bad_oauth_state')
    expect((await first.client.getUserIdentities()).data?.identities).toHaveLength(1)
  })
})
