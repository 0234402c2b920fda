import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, freshEmail, openAuth, signUpMember, siteUrl } from '#tests/support/auth.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import {
  type Employee,
  readRequest,
  type SamlProvider,
  startSamlProvider,
} from '#tests/support/saml-provider.ts'
import { adminCall } from '#tests/support/sso.ts'

const MAIL = 'urn:oid:0.9.2342.19200300.100.1.3'

describe('single sign-on', () => {
  let db: Database
  let idp: SamlProvider
  let server: AuthServer
  let providerId: string
  let employee: Employee
  beforeAll(async () => {
    db = await openTestDatabase()
    employee = { id: 'e-1', attributes: { [MAIL]: freshEmail() } }
    idp = await startSamlProvider({ signedIn: employee })
    server = await openAuth(db, { settings: { saml: true } })
    const { body } = await adminCall(server, 'POST', '', {
      type: 'saml',
      metadata_url: idp.metadataUrl,
      domains: ['School.example', 'school2.example'],
      attribute_mapping: {
        keys: { name: { names: ['displayName', 'cn'] }, groups: { name: 'groups', array: true } },
      },
    })
    providerId = body.id
  })
  beforeEach(() => idp.be(employee))
  afterAll(async () => {
    await idp.stop()
    await db.close()
  })

  /** Goes there, is signed in, and comes back by the form that the identity provider shows. */
  const signOn = async (flowType: 'implicit' | 'pkce' = 'implicit', options = {}) => {
    const browser = openBrowser(server)
    const client = server.client(flowType, browser.fetch)
    const { data, error } = await client.signInWithSSO({ domain: 'school.example', options })
    if (error) throw error
    const page = await browser.go(data?.url ?? '')
    const html = (await page.response?.text()) ?? ''
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
    const action = /action="([^"]*)"/.exec(html)?.[1] ?? ''
    const form = { SAMLResponse: field('SAMLResponse'), RelayState: field('RelayState') }
    return { client, browser, action, form, arrived: await browser.post(action, form) }
  }
  const userOf = async (token: string | null) => (await server.client().getUser(token ?? 'none')).data.user

  it('opens a session for somebody of the organisation', async () => {
    const attributes = { [MAIL]: freshEmail(), displayName: 'Eve', groups: ['staff', 'teachers'] }
    idp.be({ id: 'eve', attributes })
    const { arrived, client } = await signOn('implicit', { redirectTo: `${siteUrl}/welcome` })
    expect(arrived.url.pathname).toBe('/welcome')
    const user = await userOf(arrived.fragment.get('access_token'))
    expect(user).toMatchObject({
      email: attributes[MAIL],
      app_metadata: { provider: `sso:${providerId}`, providers: [`sso:${providerId}`] },
      user_metadata: {
        full_name: 'Eve',
        iss: idp.metadataUrl,
        custom_claims: { name: 'Eve', groups: ['staff', 'teachers'] },
      },
    })
    const { data } = await client.getClaims(arrived.fragment.get('access_token') ?? '')
    expect(data?.claims.amr).toMatchObject([{ method: 'sso/saml', provider: providerId }])
  })

  it('gives a code in a PKCE flow, for the client that began', async () => {
    const { client, arrived } = await signOn('pkce')
    const { data, error } = await client.exchangeCodeForSession(arrived.url.searchParams.get('code') ?? '')
    expect(error).toBeNull()
    expect(data.user?.app_metadata.provider).toBe(`sso:${providerId}`)
  })

  it('finds the same account again, with the address that the organisation says now', async () => {
    const first = await userOf((await signOn()).arrived.fragment.get('access_token'))
    const email = freshEmail()
    idp.be({ ...employee, attributes: { [MAIL]: email } })
    const second = await userOf((await signOn()).arrived.fragment.get('access_token'))
    expect(second?.id).toBe(first?.id)
    expect(second?.email).toBe(email)
  })

  it('never merges with an account of the same address, nor leads to it by mail', async () => {
    const member = await signUpMember(server)
    idp.be({ id: 'same-address', attributes: { [MAIL]: member.email } })
    const user = await userOf((await signOn()).arrived.fragment.get('access_token'))
    expect(user?.email).toBe(member.email)
    expect(user?.id).not.toBe(member.user.id)
    const { data } = await member.client.getUser()
    expect(data.user?.identities).toHaveLength(1)
  })

  it('leaves address, password and identities to the organisation', async () => {
    const { arrived } = await signOn()
    const bearer = arrived.fragment.get('access_token') ?? ''
    const put = await server.request('/user', {
      method: 'PUT',
      json: { password: 'correct-horse-9' },
      bearer,
    })
    expect([put.status, (await put.json()).error_code]).toEqual([422, 'user_sso_managed'])
    const linking = await server.request('/user/identities/authorize?provider=google', { bearer })
    expect((await linking.json()).error_code).toBe('user_sso_managed')
  })

  it('uses a name that looks like an address when there is no attribute for it', async () => {
    const email = freshEmail()
    idp.be({ id: email, format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress', attributes: {} })
    expect((await userOf((await signOn()).arrived.fragment.get('access_token')))?.email).toBe(email)
  })

  it.each<[code: string, employee: Employee]>([
    ['saml_assertion_no_email', { id: 'nobody', attributes: {} }],
    [
      'saml_assertion_no_user_id',
      {
        id: 'passing',
        format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
        attributes: { [MAIL]: 'passing@school.example' },
      },
    ],
  ])('says %s when the assertion does not tell enough', async (code, somebody) => {
    idp.be(somebody)
    const { arrived } = await signOn()
    expect(arrived.url.searchParams.get('error_code')).toBe(code)
    expect(arrived.fragment.get('access_token')).toBeNull()
  })

  it('makes no account where sign-up is closed', async () => {
    const closed = await openAuth(db, { settings: { saml: true, disableSignup: true } })
    idp.be({ id: 'newcomer', attributes: { [MAIL]: freshEmail() } })
    const browser = openBrowser(closed)
    const { data } = await closed.client('implicit', browser.fetch).signInWithSSO({ providerId })
    const asked = readRequest(new URL(data?.url ?? ''))
    const form = { SAMLResponse: await idp.respond(asked), RelayState: asked.relayState }
    expect((await browser.post(asked.acs, form)).url.searchParams.get('error_code')).toBe('signup_disabled')
  })

  it('is found by id or by domain, and by nothing else', async () => {
    const client = server.client()
    expect((await client.signInWithSSO({ providerId })).data?.url).toContain(idp.url)
    expect((await client.signInWithSSO({ domain: 'SCHOOL2.example' })).data?.url).toContain(idp.url)
    const none = '00000000-0000-4000-8000-000000000000'
    const wrong: Array<[body: object, status: number, code: string]> = [
      [{ provider_id: none }, 404, 'sso_provider_not_found'],
      [{ domain: 'nowhere.example' }, 404, 'sso_provider_not_found'],
      [{}, 400, 'validation_failed'],
      [{ provider_id: providerId, domain: 'school.example' }, 400, 'validation_failed'],
      [{ provider_id: 'no-uuid' }, 400, 'validation_failed'],
    ]
    for (const [json, status, code] of wrong) {
      const answer = await server.request('/sso', { json })
      expect([json, answer.status, (await answer.json()).error_code]).toEqual([json, status, code])
    }
  })

  it('redirects clients that do not go by themselves', async () => {
    const answer = await server.request('/sso', { json: { provider_id: providerId } })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toContain(`${idp.url}/sso?SAMLRequest=`)
  })

  it('describes itself to identity providers', async () => {
    const answer = await server.fetch(`${siteUrl}/auth/v1/sso/saml/metadata?download=true`)
    expect(answer.headers.get('content-type')).toContain('application/xml')
    expect(answer.headers.get('content-disposition')).toContain('attachment')
    const xml = await answer.text()
    expect(xml).toContain(`entityID="${siteUrl}/auth/v1/sso/saml/metadata"`)
    expect(xml).toContain(`Location="${siteUrl}/auth/v1/sso/saml/acs"`)
    expect(xml).toContain('WantAssertionsSigned="true"')
  })

  it('is not there where the owner has not switched it on', async () => {
    const off = await openAuth(db)
    expect((await (await off.request('/settings')).json()).saml_enabled).toBe(false)
    expect((await (await server.request('/settings')).json()).saml_enabled).toBe(true)
    const refusal = { status: 404, code: 'saml_provider_disabled' }
    expect((await off.client().signInWithSSO({ providerId })).error).toMatchObject(refusal)
    expect((await off.fetch(`${siteUrl}/auth/v1/sso/saml/metadata`)).status).toBe(404)
  })
})
