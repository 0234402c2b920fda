import { expect, type Page, test } from '@playwright/test'
import { type OpenIdProvider, startOpenIdProvider } from '#tests/support/openid-provider.ts'
import { type SamlProvider, startSamlProvider } from '#tests/support/saml-provider.ts'
import { type ServerProcess, startServer } from '#tests/support/server-process.ts'

const ada = { sub: 'ada', name: 'Ada', email: 'ada@school.example', email_verified: true }
const eve = { id: 'eve', attributes: { mail: 'eve@school.example' } }

/** What a real browser makes of cookies and forms between the site and its providers. */
test.describe('coming back from a provider', () => {
  let site: ServerProcess
  let openId: OpenIdProvider
  let saml: SamlProvider

  test.beforeAll(async () => {
    openId = await startOpenIdProvider({ users: [ada], interactive: true })
    saml = await startSamlProvider({ signedIn: eve })
    const { clientId, secret, url } = openId.settings
    site = await startServer({
      env: {
        EARLY_ACCESS: 'off',
        STARTER_CONTENT: 'off',
        AUTH_SAML: 'on',
        AUTH_SCHOOL_CLIENT_ID: clientId,
        AUTH_SCHOOL_SECRET: secret,
        AUTH_SCHOOL_URL: url,
      },
    })
    openId.sendBackTo(`${site.url}/auth/v1/callback`)
    const organisation = { type: 'saml', metadata_xml: saml.metadataXml, domains: ['school.example'] }
    const answer = await fetch(`${site.url}/auth/v1/admin/sso/providers`, {
      method: 'POST',
      headers: { apikey: site.keys.secret, authorization: `Bearer ${site.keys.secret}` },
      body: JSON.stringify(organisation),
    })
    expect(answer.status).toBe(201)
  })
  test.afterAll(async () => {
    await Promise.all([site?.remove(), openId?.stop(), saml?.stop()])
  })

  /** The address that the site is given, before a script of it can take the session out of it. */
  const landing = (page: Page) =>
    page.waitForURL((url) => url.origin === site.url && /access_token|error_code/.test(url.hash), {
      waitUntil: 'commit',
    })

  test('the browser that left for an OpenID provider is let in', async ({ page }) => {
    const landed = landing(page)
    await page.goto(`${site.url}/auth/v1/authorize?provider=school&redirect_to=${site.url}/robots.txt`)
    await page.getByRole('button', { name: 'Ada' }).click()
    await landed
    expect(page.url()).toContain('access_token=')
  })

  test('whoever says no there comes back with the reason', async ({ page }) => {
    const landed = landing(page)
    await page.goto(`${site.url}/auth/v1/authorize?provider=school&redirect_to=${site.url}/robots.txt`)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await landed
    expect(new URL(page.url()).searchParams.get('error_code')).toBe('access_denied')
  })

  test('the form of an organisation’s identity provider brings the cookie along', async ({ page }) => {
    const landed = landing(page)
    await page.goto(`${site.url}/robots.txt`)
    await page.evaluate(async (key) => {
      const answer = await fetch('/auth/v1/sso', {
        method: 'POST',
        headers: { apikey: key },
        body: JSON.stringify({
          domain: 'school.example',
          redirect_to: `${location.origin}/robots.txt`,
          skip_http_redirect: true,
        }),
      })
      location.assign((await answer.json()).url)
    }, site.keys.publishable)
    await landed
    expect(page.url()).toContain('access_token=')
  })
})
