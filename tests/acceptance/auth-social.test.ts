import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { freshEmail, openAuth, signUpMember, siteUrl } from '#tests/support/auth.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { sign, startHostileProvider } from '#tests/support/hostile-provider.ts'
import { type Received, startHttpServer } from '#tests/support/http-server.ts'

const api = `${siteUrl}/auth/v1`
const client = { clientId: 'client', secret: 'a secret' }
type Answers = (
  received: Received,
) => { status?: number; json?: unknown; headers?: Record<string, string> } | undefined

describe('providers with ways of their own', () => {
  let db: Database
  const peers: Array<{ stop(): Promise<void> }> = []
  beforeAll(async () => {
    db = await openTestDatabase()
  })
  afterAll(async () => {
    await Promise.all(peers.map((peer) => peer.stop()))
    await db.close()
  })

  const tokens = { access_token: 'their token', token_type: 'bearer', scope: '' }
  const startPeer = async (answers: Answers) => {
    const isTokenCall = ({ path }: Received) => path.endsWith('/access_token')
    const peer = await startHttpServer(
      (item) => answers(item) ?? (isTokenCall(item) ? { json: tokens } : { status: 404 }),
    )
    peers.push(peer)
    return peer
  }
  /** Leaves for the provider and comes back with a code; what the browser would see there is left out. */
  const visit = async (provider: string, url: string, answer: Record<string, string> = {}) => {
    const server = await openAuth(db, { settings: { providers: new Map([[provider, { ...client, url }]]) } })
    const browser = openBrowser(server)
    const left = await browser.open(`${api}/authorize?provider=${provider}`)
    const departure = new URL(left.headers.get('location') ?? '')
    const state = departure.searchParams.get('state') ?? ''
    const comeBack = async () => {
      const query = new URLSearchParams({ code: 'their code', state, ...answer })
      const { fragment } = await browser.go(`${api}/callback?${query}`)
      const { data } = await server.client().getUser(fragment.get('access_token') ?? 'none')
      return { fragment, user: data.user }
    }
    return { server, departure, comeBack, state }
  }

  const github = (addresses: unknown, account: object = {}) =>
    startPeer(({ path }) => {
      const person = {
        id: 4711,
        login: 'octo',
        name: 'Octo',
        avatar_url: 'https://a.example/o.png',
        ...account,
      }
      if (path === '/api/v3/user') return { json: person }
      return path === '/api/v3/user/emails' ? { json: addresses } : undefined
    })

  it('GitHub: asks for the account and takes its verified primary address', async () => {
    const email = freshEmail()
    const { url, received } = await github([
      { email: freshEmail(), verified: true, primary: false },
      { email, verified: true, primary: true },
    ])
    const { departure, comeBack } = await visit('github', url)
    expect(departure.pathname).toBe('/login/oauth/authorize')
    expect(departure.searchParams.get('scope')).toBe('user:email')
    const { user, fragment } = await comeBack()
    expect(user).toMatchObject({ email, user_metadata: { user_name: 'octo', provider_id: '4711' } })
    expect(fragment.get('provider_token')).toBe('their token')
    const exchange = new URLSearchParams(received[0]?.body)
    expect(exchange.get('redirect_uri')).toBe(`${api}/callback`)
    expect(exchange.get('code_verifier')).toHaveLength(43)
    expect(received[1]?.headers.authorization).toBe('Bearer their token')
  })

  it('GitHub: an address that is not verified opens no account', async () => {
    const server = await openAuth(db)
    const { email } = await signUpMember(server)
    const { url } = await github([{ email, verified: false, primary: true }], { id: 4712 })
    const { fragment } = await (await visit('github', url)).comeBack()
    expect(fragment.get('error_code')).toBe('provider_email_needs_verification')
  })

  it.each<[what: string, answers: Answers, code: string]>([
    [
      'a code that it does not know',
      () => ({ json: { error: 'bad_verification_code' } }),
      'bad_oauth_callback',
    ],
    ['an answer that is no JSON', () => ({ json: 'x'.repeat(10) }), 'bad_oauth_callback'],
    ['an answer without end', () => ({ json: 'x'.repeat(2_000_000) }), 'unexpected_failure'],
    ['a failure', () => ({ status: 503 }), 'unexpected_failure'],
    [
      'an account that it does not show',
      ({ path }) => (path === '/api/v3/user' ? { status: 401 } : undefined),
      'unexpected_failure',
    ],
  ])('GitHub: %s is told kindly, with nothing of what it said', async (_what, answers, code) => {
    const { fragment } = await (await visit('github', (await startPeer(answers)).url)).comeBack()
    expect(fragment.get('error_code')).toBe(code)
    expect(fragment.get('access_token')).toBeNull()
  })

  it('Facebook: proves with the app’s secret that it is the app that asks', async () => {
    const email = freshEmail()
    const picture = { data: { url: 'https://f.example/p.jpg' } }
    const { url, received } = await startPeer(({ path }) =>
      path.startsWith('/me?') ? { json: { id: '99', name: 'Fay', email, picture } } : undefined,
    )
    const { departure, comeBack } = await visit('facebook', url)
    expect(departure.pathname).toBe('/dialog/oauth')
    const { user } = await comeBack()
    expect(user).toMatchObject({ email, user_metadata: { full_name: 'Fay', avatar_url: picture.data.url } })
    const asked = new URL(received[1]?.path ?? '', url)
    const proof = createHmac('sha256', client.secret).update('their token').digest('hex')
    expect(asked.searchParams.get('appsecret_proof')).toBe(proof)
  })

  it('follows no redirect of a provider’s interface', async () => {
    const inner = await startPeer(() => ({ json: tokens }))
    const peer = await startPeer(() => ({ status: 302, headers: { location: inner.url } }))
    const { fragment } = await (await visit('github', peer.url)).comeBack()
    expect(fragment.get('error_code')).toBe('unexpected_failure')
    expect(inner.received).toEqual([])
  })

  const openIdPeer = async (claims: object, provider: string) => {
    const peer = await startHostileProvider()
    peers.push(peer)
    const left = await visit(provider, peer.url, { iss: peer.url })
    peer.lie(left.departure, (right, { own }) => sign({ ...right, aud: client.clientId, ...claims }, own))
    return { ...left, iss: peer.url }
  }

  it('Microsoft: an address counts only when the organisation owns its domain', async () => {
    const { email } = await signUpMember(await openAuth(db))
    const claims = { sub: 'm1', email, email_verified: true }
    const thief = await (await openIdPeer(claims, 'azure')).comeBack()
    expect(thief.fragment.get('error_code')).toBe('provider_email_needs_verification')
    const owner = await (await openIdPeer({ ...claims, xms_edov: '1' }, 'azure')).comeBack()
    expect(owner.user?.email).toBe(email)
  })

  it('Apple: answers by a form, with the name beside the token the first time', async () => {
    const claims = { sub: 'apple-1', email: freshEmail(), email_verified: 'true' }
    const { departure, server, state, iss } = await openIdPeer(claims, 'apple')
    expect(departure.searchParams.get('response_mode')).toBe('form_post')
    expect(departure.searchParams.get('scope')).toBe('openid email name')
    const user = JSON.stringify({ name: { firstName: 'Ann', lastName: 'Apple' }, email: 'x@evil.example' })
    const form = new URLSearchParams({ code: 'c', state, iss, user })
    const posted = await server.fetch(`${api}/callback`, { method: 'POST', body: form, redirect: 'manual' })
    expect(posted.status).toBe(303)
    const onward = new URL(posted.headers.get('location') ?? '')
    expect([onward.origin, onward.searchParams.get('user')]).toEqual([siteUrl, user])
  })
})
