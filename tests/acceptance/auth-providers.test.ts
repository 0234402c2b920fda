import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, freshEmail, openAuth, siteUrl } from '#tests/support/auth.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { type OpenIdProvider, startOpenIdProvider } from '#tests/support/openid-provider.ts'

const ada = {
  sub: 'ada',
  email: freshEmail(),
  email_verified: true,
  name: 'Ada',
  picture: 'https://p.example/a.png',
}
const bob = { sub: 'bob', email: freshEmail(), email_verified: false, name: 'Bob' }
const nameless = { sub: 'nameless' }

describe('signing in at a provider', () => {
  let db: Database
  let peer: OpenIdProvider
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    peer = await startOpenIdProvider({
      users: [ada, bob, nameless],
      redirectUri: `${siteUrl}/auth/v1/callback`,
    })
    server = await openAuth(db, { settings: { providers: new Map([['keycloak', peer.settings]]) } })
  })
  beforeEach(() => peer.be('ada'))
  afterAll(async () => {
    await peer.stop()
    await db.close()
  })

  const signIn = async (options = {}, flowType: 'implicit' | 'pkce' = 'implicit') => {
    const client = server.client(flowType)
    const { data } = await client.signInWithOAuth({ provider: 'keycloak', options })
    return { client, arrived: await openBrowser(server).go(data.url ?? '') }
  }

  it('opens a session in an implicit flow, with the tokens of the provider', async () => {
    const { client, arrived } = await signIn({ redirectTo: `${siteUrl}/welcome?from=here` })
    expect(arrived.url.href.split('#')[0]).toBe(`${siteUrl}/welcome?from=here`)
    const tokens = Object.fromEntries(arrived.fragment)
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: '3600' })
    expect(tokens.provider_token).toBeTruthy()
    const { data, error } = await client.setSession({
      access_token: tokens.access_token ?? '',
      refresh_token: tokens.refresh_token ?? '',
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      email: ada.email,
      app_metadata: { provider: 'keycloak', providers: ['keycloak'] },
      user_metadata: { full_name: 'Ada', avatar_url: ada.picture, email_verified: true, sub: 'ada' },
      identities: [{ provider: 'keycloak', id: 'ada', email: ada.email, identity_data: { iss: peer.url } }],
    })
    expect(data.user?.email_confirmed_at).toBeTruthy()
    const { data: claims } = await client.getClaims()
    expect(claims?.claims.amr).toMatchObject([{ method: 'oauth' }])
  })

  it('gives a code in a PKCE flow, which only the client that began can exchange, once', async () => {
    const { client, arrived } = await signIn({}, 'pkce')
    const code = arrived.url.searchParams.get('code') ?? ''
    const stranger = server.client('pkce')
    await stranger.signInWithOAuth({ provider: 'keycloak' })
    expect((await stranger.exchangeCodeForSession(code)).error).toMatchObject({ code: 'bad_code_verifier' })
    const { data, error } = await client.exchangeCodeForSession(code)
    expect(error).toBeNull()
    expect(data.user?.email).toBe(ada.email)
    expect(data.session?.provider_token).toBeTruthy()
    const again = await server.request('/token?grant_type=pkce', {
      json: { auth_code: code, code_verifier: 'x'.repeat(43) },
    })
    expect(await again.json()).toMatchObject({ error_code: 'flow_state_not_found' })
  })

  it('keeps the provider’s tokens unreadable while a code waits to be exchanged', async () => {
    const { client, arrived } = await signIn({}, 'pkce')
    const code = arrived.url.searchParams.get('code') ?? ''
    const { rows } = await db.asOwner('look', (tx) =>
      tx.query<{ token: string }>(
        'select provider_access_token as token from auth.flow_state where auth_code = $1',
        [createHash('sha256').update(code).digest('hex')],
      ),
    )
    const { data } = await client.exchangeCodeForSession(code)
    expect(rows[0]?.token).toBeTruthy()
    expect(rows[0]?.token).not.toContain(data.session?.provider_token)
  })

  it('finds the same account again, by the provider’s name for it', async () => {
    const [first, second] = [await signIn(), await signIn()]
    const idOf = async (token: string | null) => (await server.client().getUser(token ?? '')).data.user?.id
    expect(await idOf(first.arrived.fragment.get('access_token'))).toBe(
      await idOf(second.arrived.fragment.get('access_token')),
    )
  })

  it('makes a profile row with the account', async () => {
    const { arrived } = await signIn()
    const { data } = await server.client().getUser(arrived.fragment.get('access_token') ?? '')
    const { rows } = await db.asOwner('look', (tx) =>
      tx.query('select email, role from public.users where id = $1', [data.user?.id ?? '']),
    )
    expect(rows).toEqual([{ email: ada.email, role: 'member' }])
  })

  it('tells the site when the person says no there, in the query and in the fragment', async () => {
    peer.be(undefined)
    const { arrived } = await signIn()
    const problem = {
      error: 'access_denied',
      error_code: 'access_denied',
      error_description: 'The person said no',
    }
    expect(Object.fromEntries(arrived.url.searchParams)).toEqual(problem)
    expect(Object.fromEntries(arrived.fragment)).toMatchObject(problem)
  })

  it('needs a verified address: others are sent a mail, and are let in when they have confirmed it', async () => {
    peer.be('bob')
    const first = await signIn()
    expect(first.arrived.fragment.get('error_code')).toBe('provider_email_needs_verification')
    expect(server.mails.at(-1)?.to).toBe(bob.email)
    const link = /https?:\S+\/verify\?\S+/.exec(server.mails.at(-1)?.text ?? '')?.[0] ?? ''
    await server.fetch(link, { redirect: 'manual' })
    const second = await signIn()
    expect(second.arrived.fragment.get('access_token')).toBeTruthy()
  })

  it('lets nobody in whose provider tells no address', async () => {
    peer.be('nameless')
    const { arrived } = await signIn()
    expect(arrived.fragment.get('error_code')).toBe('provider_email_needs_verification')
    expect(arrived.fragment.get('error_description')).toContain('no e-mail address')
  })

  it('makes no account where sign-up is closed, and still lets members in', async () => {
    const settings = { providers: new Map([['keycloak', peer.settings]]), disableSignup: true }
    const closed = await openAuth(db, { settings })
    const { data } = await closed.client().signInWithOAuth({ provider: 'keycloak' })
    await signIn()
    const member = await openBrowser(closed).go(data.url ?? '')
    expect(member.fragment.get('access_token')).toBeTruthy()
    peer.be('bob')
    await db.asOwner('forget', (tx) => tx.query('delete from auth.users where email = $1', [bob.email]))
    await db.asOwner('forget', (tx) => tx.query(`delete from auth.identities where provider_id = 'bob'`))
    const stranger = await openBrowser(closed).go(data.url ?? '')
    expect(stranger.url.searchParams.get('error_code')).toBe('signup_disabled')
    expect(stranger.url.searchParams.get('error')).toBe('access_denied')
  })

  it('answers with the address for clients that go there by themselves', async () => {
    const queryParams = { prompt: 'login', skip_http_redirect: 'true' }
    const options = { scopes: 'groups', queryParams }
    const { data } = await server.client().signInWithOAuth({ provider: 'keycloak', options })
    const answer = await server.fetch(data.url ?? '')
    const url = new URL(((await answer.json()) as { url: string }).url)
    expect(url.origin).toBe(peer.url)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: peer.settings.clientId,
      redirect_uri: `${siteUrl}/auth/v1/callback`,
      response_type: 'code',
      scope: 'openid email profile groups',
      code_challenge_method: 'S256',
      prompt: 'login',
    })
  })

  it('refuses a provider that is not set up, and half a challenge', async () => {
    for (const query of ['provider=google', 'provider=', 'provider=__proto__', '']) {
      const answer = await server.fetch(`${siteUrl}/auth/v1/authorize?${query}`)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error_code: 'validation_failed' })
    }
    const half = await server.fetch(`${siteUrl}/auth/v1/authorize?provider=keycloak&code_challenge=abc`)
    expect(half.status).toBe(400)
  })

  it('says which providers there are', async () => {
    const { external } = await (await server.request('/settings')).json()
    expect(external).toMatchObject({ keycloak: true, google: false, email: true })
  })

  it('says so when the provider does not answer, without saying why', async () => {
    const settings = { providers: new Map([['down', { ...peer.settings, url: 'http://127.0.0.1:1' }]]) }
    const alone = await openAuth(db, { settings })
    const answer = await alone.request('/authorize?provider=down')
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('127.0.0.1')
    const { url } = await openBrowser(alone).go(`${siteUrl}/auth/v1/authorize?provider=down`)
    expect([url.origin, url.searchParams.get('error')]).toEqual([siteUrl, 'server_error'])
    expect(url.searchParams.get('error_description')).toContain('Try again in a moment')
  })

  it('may be begun only so often from one address', async () => {
    const settings = { ...server.deps.settings, rateLimits: true, trustedProxies: 1 }
    const limited = await openAuth(db, { settings })
    const statuses = new Set<number>()
    for (let i = 0; i < 31; i++) {
      const headers = { 'x-forwarded-for': '192.0.2.77' }
      statuses.add((await limited.request('/authorize?provider=keycloak', { headers })).status)
    }
    expect([...statuses]).toEqual([302, 429])
  })
})
