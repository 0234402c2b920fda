import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, freshEmail, openAuth, signUpMember, siteUrl } from '#tests/support/auth.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { type OpenIdProvider, type OpenIdUser, startOpenIdProvider } from '#tests/support/openid-provider.ts'

describe('identities', () => {
  let db: Database
  let peer: OpenIdProvider
  let server: AuthServer
  const users: OpenIdUser[] = []
  beforeAll(async () => {
    db = await openTestDatabase()
    peer = await startOpenIdProvider({ users, redirectUri: `${siteUrl}/auth/v1/callback` })
    const providers = new Map([['keycloak', peer.settings]])
    server = await openAuth(db, { settings: { providers, anonymous: true } })
  })
  afterAll(async () => {
    await peer.stop()
    await db.close()
  })

  let people = 0
  const newPerson = (email = freshEmail()) => {
    const sub = `person-${people++}`
    users.push({ sub, email, email_verified: true })
    peer.be(sub)
    return { sub, email }
  }

  /** A member whose client keeps cookies, as in a browser. */
  const memberIn = async (on = server) => {
    const browser = openBrowser(on)
    const { session, user } = await signUpMember(on)
    const client = on.client('implicit', browser.fetch)
    await client.setSession(session)
    return { browser, client, session, user }
  }
  type Member = Awaited<ReturnType<typeof memberIn>>
  const link = async ({ client, browser }: Pick<Member, 'client' | 'browser'>) => {
    const { data, error } = await client.linkIdentity({ provider: 'keycloak' })
    if (error) throw error
    return browser.go(data.url ?? '')
  }
  const identitiesOf = async ({ client }: Pick<Member, 'client'>) =>
    (await client.getUserIdentities()).data?.identities ?? []
  const linked = async () => {
    const member = await memberIn()
    newPerson()
    await link(member)
    return member
  }

  it('are added by their owner, who gets a session, and are a way in from then on', async () => {
    const member = await memberIn()
    const { email } = newPerson()
    const { fragment } = await link(member)
    expect(fragment.get('access_token')).toBeTruthy()
    const identities = await identitiesOf(member)
    expect(identities.map(({ provider }) => provider)).toEqual(['email', 'keycloak'])
    expect(identities[1]?.identity_data?.email).toBe(email)
    const { data } = await server.client().signInWithOAuth({ provider: 'keycloak' })
    const again = await openBrowser(server).go(data.url ?? '')
    const { data: account } = await server.client().getUser(again.fragment.get('access_token') ?? '')
    expect(account.user?.id).toBe(member.user.id)
  })

  it('belong to one account: a second one is told so at the return', async () => {
    const first = await linked()
    expect((await link(first)).url.searchParams.get('error_code')).toBe('identity_already_exists')
    const second = await memberIn()
    const { url, fragment } = await link(second)
    expect(url.searchParams.get('error_code')).toBe('identity_already_exists')
    expect(fragment.get('error_description')).toBe('Identity is already linked to another user')
    expect(await identitiesOf(second)).toHaveLength(1)
  })

  it('cannot be slipped to a victim: another browser links nothing, with PKCE or without', async () => {
    for (const flowType of ['implicit', 'pkce'] as const) {
      const thief = await memberIn()
      const client = server.client(flowType, thief.browser.fetch)
      await client.setSession(thief.session)
      newPerson()
      const { data } = await client.linkIdentity({ provider: 'keycloak' })
      const { url } = await openBrowser(server).go(data.url ?? '')
      expect(url.searchParams.get('error_code')).toBe('bad_oauth_state')
      expect(await identitiesOf(thief)).toHaveLength(1)
    }
  })

  it('make an anonymous visitor somebody', async () => {
    const browser = openBrowser(server)
    const client = server.client('implicit', browser.fetch)
    const { data } = await client.signInAnonymously()
    const { email } = newPerson()
    await link({ client, browser })
    const { data: account } = await client.getUser()
    expect(account.user).toMatchObject({ id: data.user?.id, email, is_anonymous: false })
    expect(account.user?.app_metadata).toMatchObject({ provider: 'keycloak', providers: ['keycloak'] })
  })

  it('are not for visitors to add, nor where the owner does not want it', async () => {
    const visitor = await server.request('/user/identities/authorize?provider=keycloak')
    expect([visitor.status, (await visitor.json()).error_code]).toEqual([401, 'no_authorization'])
    const strict = await openAuth(db, { settings: { ...server.deps.settings, manualLinking: false } })
    const { client } = await memberIn(strict)
    const refusal = { status: 404, code: 'manual_linking_disabled' }
    expect((await client.linkIdentity({ provider: 'keycloak' })).error).toMatchObject(refusal)
    const [identity] = await identitiesOf({ client })
    if (!identity) throw new Error('there is no identity')
    expect((await client.unlinkIdentity(identity)).error).toMatchObject(refusal)
  })

  it('are taken away by their owner, and open nothing afterwards', async () => {
    const member = await linked()
    const [, identity] = await identitiesOf(member)
    if (!identity) throw new Error('there is no second identity')
    expect((await member.client.unlinkIdentity(identity)).error).toBeNull()
    const { data } = await member.client.getUser()
    expect(data.user?.app_metadata.providers).toEqual(['email'])
    const { data: away } = await server.client().signInWithOAuth({ provider: 'keycloak' })
    const { fragment } = await openBrowser(server).go(away.url ?? '')
    const { data: other } = await server.client().getUser(fragment.get('access_token') ?? '')
    expect(other.user?.id).not.toBe(member.user.id)
  })

  it('leave one behind, at least', async () => {
    const { client } = await memberIn()
    const [only] = await identitiesOf({ client })
    if (!only) throw new Error('there is no identity')
    const refusal = { status: 422, code: 'single_identity_not_deletable' }
    expect((await client.unlinkIdentity(only)).error).toMatchObject(refusal)
    // That rule is looked at first, even for an identity that is somebody else's.
    const theirs = { ...only, identity_id: '00000000-0000-4000-8000-000000000000' }
    expect((await client.unlinkIdentity(theirs)).error).toMatchObject(refusal)
  })

  it('of others, and names that are none, are not found', async () => {
    const [mine, theirs] = [await linked(), await linked()]
    const [identity] = await identitiesOf(theirs)
    if (!identity) throw new Error('there is no identity')
    expect((await mine.client.unlinkIdentity(identity)).error).toMatchObject({
      status: 422,
      code: 'identity_not_found',
    })
    const noName = { ...identity, identity_id: 'no-uuid' }
    expect((await mine.client.unlinkIdentity(noName)).error).toMatchObject({
      status: 404,
      code: 'validation_failed',
    })
    expect(await identitiesOf(theirs)).toHaveLength(2)
  })

  it('take their address with them, and leave the password that works', async () => {
    const member = await linked()
    const [own, other] = await identitiesOf(member)
    if (!own) throw new Error('there is no identity')
    expect((await member.client.unlinkIdentity(own)).error).toBeNull()
    const { data } = await member.client.getUser()
    expect(data.user?.email).toBe(other?.identity_data?.email)
    const { error } = await server.client().signInWithPassword({
      email: data.user?.email ?? '',
      password: 'correct-horse-9',
    })
    expect(error).toBeNull()
  })

  it('stay where the account would get an address that somebody else has', async () => {
    const member = await memberIn()
    const { email } = newPerson()
    await link(member)
    await signUpMember(server, email).catch(() => undefined)
    const [own] = await identitiesOf(member)
    if (!own) throw new Error('there is no identity')
    expect((await member.client.unlinkIdentity(own)).error).toMatchObject({
      status: 422,
      code: 'email_conflict_identity_not_deletable',
    })
    expect(await identitiesOf(member)).toHaveLength(2)
  })
})
