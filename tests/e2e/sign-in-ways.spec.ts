import { codeIn, messageTo } from '#tests/support/outbox.ts'
import { type SamlProvider, startSamlProvider } from '#tests/support/saml-provider.ts'
import { expect, type Page, test } from '#tests/support/site.ts'

test.use({ serverOptions: { env: { EARLY_ACCESS: 'off', AUTH_SAML: 'true', AUTH_EMAIL_INTERVAL: '0' } } })

const alert = (page: Page) => page.getByRole('main').getByRole('alert')
const logout = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Logout' })

test.describe('a code by mail', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'E-mail me a code' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in with a code')
  })

  test('signs in', async ({ page, site, addAccount, axeFindings, expectConsoleErrors }) => {
    expectConsoleErrors()
    const { email } = await addAccount('member')
    await page.getByRole('button', { name: 'Send the code' }).click()
    await expect(alert(page)).toHaveText('Please fill in all fields')
    await page.getByLabel('E-mail').fill(email)
    await page.keyboard.press('Enter')
    const code = page.getByLabel('Code', { exact: true })
    await expect(code).toBeFocused()
    await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
    expect(await axeFindings(page, 'light')).toEqual([])
    await code.fill('000000')
    await page.keyboard.press('Enter')
    await expect(alert(page)).toContainText('That code did not work.')
    await code.fill(codeIn(await messageTo(site, email)))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/')
    await expect(logout(page)).toBeVisible()
  })

  test('does not tell who has an account', async ({ page, expectConsoleErrors }) => {
    expectConsoleErrors()
    await page.getByLabel('E-mail').fill('nobody@example.org')
    await page.keyboard.press('Enter')
    await expect(page.getByText('If there is an account for nobody@example.org')).toBeVisible()
    await page.getByRole('button', { name: 'Back to sign in' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account')
  })
})

test.describe('an organisation', () => {
  let idp: SamlProvider
  test.beforeAll(async ({ site }) => {
    const email = 'teacher@academy.example'
    idp = await startSamlProvider({ signedIn: { id: 'teacher-1', attributes: { email } } })
    const { secret } = site.keys
    const added = await fetch(`${site.url}/auth/v1/admin/sso/providers`, {
      method: 'POST',
      headers: { apikey: secret, Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        type: 'saml',
        metadata_xml: idp.metadataXml,
        domains: ['academy.example'],
        attribute_mapping: { keys: { email: { name: 'email' } } },
      }),
    })
    expect(added.status).toBe(201)
  })
  test.afterAll(() => idp.stop())
  test.beforeEach(async ({ page }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'Use your organisation' }).click()
    await expect(page.getByLabel('Work or school e-mail')).toBeFocused()
  })

  test('signs its people in by the part after the @', async ({ page, axeFindings }) => {
    expect(await axeFindings(page, 'dark')).toEqual([])
    await page.keyboard.type('teacher@academy.example')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/')
    await expect(logout(page)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Your profile, teacher' })).toBeVisible()
  })

  test('that nobody knows is said kindly', async ({ page, expectConsoleErrors }) => {
    expectConsoleErrors()
    await page.keyboard.type('teacher')
    await page.keyboard.press('Enter')
    await expect(alert(page)).toHaveText('Please enter your whole e-mail address.')
    await page.getByLabel('Work or school e-mail').fill('teacher@unknown.example')
    await page.keyboard.press('Enter')
    await expect(alert(page)).toContainText('We do not know this organisation.')
  })
})
