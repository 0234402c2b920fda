import { createHmac } from 'node:crypto'
import { exportSPKI, importJWK } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, openAuth, siteUrl } from '#tests/support/auth.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { type Forge, sign, startHostileProvider } from '#tests/support/hostile-provider.ts'

const api = `${siteUrl}/auth/v1`
type Hostile = Awaited<ReturnType<typeof startHostileProvider>>

describe('an answer from a provider', () => {
  let db: Database
  let evil: Hostile
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    evil = await startHostileProvider()
    const providers = new Map([['evil', evil.settings]])
    server = await openAuth(db, { settings: { providers } })
  })
  afterAll(async () => {
    await evil.stop()
    await db.close()
  })

  const startOAuth = async (query = '', browser = openBrowser(server)) => {
    const answer = await browser.open(`${api}/authorize?provider=evil${query}`)
    const authorizationUrl = new URL(answer.headers.get('location') ?? '')
    evil.lie(authorizationUrl, (claims, { own }) => sign(claims, own))
    return { browser, authorizationUrl, state: authorizationUrl.searchParams.get('state') ?? '' }
  }
  const back = (state: string, more: Record<string, string> = {}) =>
    `${api}/callback?${new URLSearchParams({ code: 'code', state, iss: evil.url, ...more })}`
  const challenge = `&code_challenge=${'c'.repeat(43)}&code_challenge_method=s256`

  it('is accepted when nothing is wrong with it', async () => {
    const { browser, state } = await startOAuth()
    expect((await browser.go(back(state))).fragment.get('access_token')).toBeTruthy()
  })

  it('needs a state of ours: programs get the error, people are sent to the site with it', async () => {
    for (const [query, code] of [
      ['', 'bad_oauth_callback'],
      ['?code=x&state=made-up', 'bad_oauth_state'],
      ['?code=x&state=7e8f5a0e-7b0a-4b5e-9d7f-3f5b6a7c8d9e', 'bad_oauth_state'],
      ['?code=x&state=%00', 'bad_oauth_state'],
    ]) {
      const answer = await server.fetch(`${api}/callback${query}`)
      expect([query, answer.status, (await answer.json()).error_code]).toEqual([query, 400, code])
      const { url } = await openBrowser(server).go(`${api}/callback${query}`)
      expect([url.origin, url.searchParams.get('error_code')]).toEqual([siteUrl, code])
    }
  })

  it('is taken once', async () => {
    const { browser, state } = await startOAuth()
    // Looking is not taking.
    expect((await browser.open(back(state), { method: 'HEAD' })).status).toBe(204)
    expect((await browser.go(back(state))).fragment.get('access_token')).toBeTruthy()
    const again = await browser.go(back(state))
    expect(again.url.searchParams.get('error_code')).toBe('bad_oauth_state')
  })

  it('is not taken a quarter of an hour later', async () => {
    const patient = await openAuth(db, { settings: server.deps.settings })
    const browser = openBrowser(patient)
    const { state } = await startOAuth('', browser)
    patient.advance(901)
    const { url } = await browser.go(back(state))
    expect(url.searchParams.get('error_description')).toBe('OAuth state has expired')
  })

  it('opens no session in a browser that did not ask, and none for it later', async () => {
    const { browser, state } = await startOAuth()
    const victim = await openBrowser(server).go(back(state))
    expect(victim.url.searchParams.get('error_description')).toContain('another browser')
    expect((await browser.go(back(state))).url.searchParams.get('error_code')).toBe('bad_oauth_state')
  })

  it('gives another browser of a PKCE flow a code that is of no use to it', async () => {
    const { state } = await startOAuth(challenge)
    const { url } = await openBrowser(server).go(back(state))
    expect(url.searchParams.get('code')).toBeTruthy()
    expect(url.hash).toBe('')
  })

  it('must come from the provider that was asked', async () => {
    const { browser, state } = await startOAuth()
    const { url } = await browser.go(back(state, { iss: 'https://honest.example' }))
    expect(url.searchParams.get('error_description')).toBe('The answer is not from evil')
    const silent = await startOAuth()
    const noIssuer = `${api}/callback?code=code&state=${silent.state}`
    expect((await silent.browser.go(noIssuer)).url.searchParams.get('error_code')).toBe('bad_oauth_callback')
  })

  const forgeries: Array<[what: string, message: RegExp, forge: Forge]> = [
    ['of no signature', /not valid/, (claims) => `${base64({ alg: 'none' })}.${base64(claims)}.`],
    ['signed with the public key as a secret', /not valid/, signWithPublicKey],
    ['signed by a stranger', /not valid/, async (claims, { own }) => `${await cut(sign(claims, own))}AAAA`],
    ['that brings its own key', /not valid/, (claims, { jwk }) => withKeyInHeader(claims, jwk)],
    ['of another issuer', /not from evil/, (c, { own }) => sign({ ...c, iss: 'https://x.example' }, own)],
    ['for another client', /not valid/, (c, { own }) => sign({ ...c, aud: 'somebody else' }, own)],
    ['of another flow', /nonce .* is wrong/, (c, { own }) => sign({ ...c, nonce: 'other' }, own)],
    ['that has expired', /not valid/, (c, { own }) => sign({ ...c, exp: 1 }, own)],
    ['about nobody', /not valid/, (c, { own }) => sign({ ...c, sub: undefined }, own)],
    [
      'about somebody without end',
      /say who it is/,
      (c, { own }) => sign({ ...c, sub: 'x'.repeat(300) }, own),
    ],
  ]
  it.each(forgeries)('holds no ID token %s', async (_what, message, forge) => {
    const { browser, authorizationUrl, state } = await startOAuth()
    evil.lie(authorizationUrl, forge)
    const { url, fragment } = await browser.go(back(state))
    expect(url.searchParams.get('error_code')).toBe('bad_oauth_callback')
    expect(fragment.get('error_description')).toMatch(message)
    expect(fragment.get('access_token')).toBeNull()
  })

  it('leaves a trace when it is refused, without anything secret', async () => {
    const { browser, authorizationUrl, state } = await startOAuth()
    evil.lie(authorizationUrl, () => 'not a token')
    await browser.go(back(state))
    const audit = await server.fetch(`${api}/admin/audit?per_page=1`, {
      headers: { apikey: server.deps.keys.secret, authorization: `Bearer ${server.deps.keys.secret}` },
    })
    const [entry] = await audit.json()
    expect(entry.payload).toMatchObject({ action: 'login_failed', traits: { provider: 'evil' } })
    expect(JSON.stringify(entry)).not.toContain(state)
  })

  it('cannot put its own words into the page without end, nor invent an error', async () => {
    const { browser, state } = await startOAuth()
    const error = { error: '<script>', error_description: `a\u0007b${'x'.repeat(5000)}` }
    const { url } = await browser.go(back(state, error))
    expect(url.searchParams.get('error')).toBe('server_error')
    expect(url.searchParams.get('error_code')).toBe('bad_oauth_callback')
    expect(url.searchParams.get('error_description')?.length).toBeLessThanOrEqual(200)
  })

  it('may come as a form from another site, which keeps its cookie for the step after it', async () => {
    const { browser, state } = await startOAuth()
    const form = { code: 'code', state, iss: evil.url, user: '{"name":{"firstName":"Ma","lastName":"Lory"}}' }
    expect((await browser.post(`${api}/callback`, form)).fragment.get('access_token')).toBeTruthy()
  })

  it('never leads to an address that is not the site’s', async () => {
    const { browser, state } = await startOAuth(`&redirect_to=${encodeURIComponent('https://evil.example/')}`)
    expect((await browser.go(back(state))).url.origin).toBe(siteUrl)
  })

  it('cannot be called to another place by the client or by a Host header', async () => {
    const evilQuery =
      '&redirect_uri=https%3A%2F%2Fevil.example&client_id=x&state=x&response_type=token&nonce=x'
    const answer = await server.fetch(`${api}/authorize?provider=evil${evilQuery}`, {
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    })
    const url = new URL(answer.headers.get('location') ?? '')
    expect(url.searchParams.getAll('redirect_uri')).toEqual([`${api}/callback`])
    expect(url.searchParams.get('client_id')).toBe(evil.settings.clientId)
    expect(url.searchParams.get('response_type')).toBe('code')
    expect(url.searchParams.get('state')).not.toBe('x')
  })
})

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const cut = async (token: Promise<string>) => (await token).slice(0, -4)

async function signWithPublicKey(claims: object, { jwk }: { jwk: object }): Promise<string> {
  const pem = await exportSPKI((await importJWK(jwk, 'RS256')) as CryptoKey)
  const text = `${base64({ alg: 'HS256', kid: 'own' })}.${base64(claims)}`
  return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`
}

async function withKeyInHeader(claims: object, _keys: object): Promise<string> {
  const { generateKeyPair, exportJWK } = await import('jose')
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  return sign({ ...claims }, privateKey, {
    jwk: await exportJWK(publicKey),
    jku: 'https://evil.example/keys',
  })
}
