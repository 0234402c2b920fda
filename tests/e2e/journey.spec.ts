import type { ParsedMail } from 'mailparser'
import { serviceLibrary } from '#tests/support/members.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { expect, type Page, test } from '#tests/support/site.ts'
import { startSite } from '#tests/support/site-server.ts'
import { startSmtp, type TestSmtp } from '#tests/support/smtp.ts'

/** A service with open sign-up and a real mail server. */
let server: ServerProcess
let smtp: TestSmtp

test.beforeAll(async () => {
  test.setTimeout(90_000)
  smtp = await startSmtp()
  server = await startSite({ env: { EARLY_ACCESS: 'off', SMTP_URL: smtp.url, AUTH_EMAIL_INTERVAL: '0' } })
})
test.afterAll(async () => {
  await server.remove()
  await smtp.stop()
})

/** The newest mail to somebody, as soon as it is there. */
async function mailTo(address: string, count: number): Promise<ParsedMail> {
  const mails = () => smtp.mails.filter(({ to }) => [to].flat().some((line) => line?.text.includes(address)))
  await expect.poll(() => mails().length).toBe(count)
  const newest = mails().at(-1)
  if (!newest) throw new Error('there is no mail')
  return newest
}

const linkIn = ({ text }: ParsedMail) => /https?:\S+\/verify\?\S+/.exec(text ?? '')?.[0] ?? 'no link'
const submit = (page: Page) => page.locator('main button[type=submit]')
const logout = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Logout' })
const login = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Login' })

async function signIn(page: Page, email: string, password: string) {
  await page.goto(`${server.url}/login`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await submit(page).click()
  await expect(logout(page)).toBeVisible()
}

test('from sign-up to the end of an account', async ({ page, context, expectConsoleErrors }) => {
  test.setTimeout(120_000)
  expectConsoleErrors()
  const email = 'alex.parent@example.org'
  const rest = serviceLibrary(server)
  const { data: hidden } = await rest
    .from('resources')
    .insert({ title: 'Kept for members', description: 'A private one.', category: 'reading', public: false })
    .select()
    .single()

  await test.step('sign up, read the mail and confirm', async () => {
    await page.goto(`${server.url}/login`)
    await page.getByRole('button', { name: 'Create one' }).click()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('first-password-1')
    await page.getByRole('checkbox', { name: 'Privacy Policy' }).check()
    await page.getByRole('checkbox', { name: 'Terms of Service' }).check()
    await submit(page).click()
    await expect(
      page.getByText('Please check your email to verify your account before logging in.'),
    ).toBeVisible()
    await page.goto(linkIn(await mailTo(email, 1)))
    await page.getByRole('button', { name: 'Confirm my address' }).click()
    await expect(logout(page)).toBeVisible()
    await expect(page).toHaveURL(`${server.url}/`)
    await logout(page).click()
    await expect(login(page)).toBeVisible()
  })

  await test.step('sign in and save two, one of them private', async () => {
    await signIn(page, email, 'first-password-1')
    await page.goto(`${server.url}/resources/reading?q=Kept+for+members`)
    const first = page.waitForResponse(/rpc\/save_resource/)
    await page.getByRole('button', { name: 'Save Kept for members' }).click()
    await first
    await page.getByRole('searchbox').fill('')
    await expect(page.getByRole('article').nth(1)).toBeVisible()
    const second = page.waitForResponse(/rpc\/save_resource/)
    await page
      .getByRole('button', { name: /^Save /, pressed: false })
      .first()
      .click()
    await second
    await page.goto(`${server.url}/profile`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('alex.parent')
    const saved = page.getByRole('region', { name: 'Your Saved Resources' })
    await expect(saved.getByRole('article')).toHaveCount(2)
    await expect(saved.getByRole('link', { name: 'Kept for members' })).toHaveAttribute(
      'href',
      `/resource/${hidden?.id}`,
    )
  })

  await test.step('sign out in another tab', async () => {
    const other = await context.newPage()
    await other.goto(`${server.url}/about`)
    await logout(other).click()
    await expect(page.getByRole('heading', { name: 'Please log in to view your profile' })).toBeVisible()
    await other.close()
  })

  await test.step('reset the password', async () => {
    await page.goto(`${server.url}/login`)
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await page.getByLabel('E-mail').fill(email)
    await submit(page).click()
    await expect(page.getByText('If there is an account with this address')).toBeVisible()
    await page.goto(linkIn(await mailTo(email, 2)))
    await page.getByRole('button', { name: 'Choose a new password' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose a new password')
    // No token stays in the address.
    await expect(page).toHaveURL(`${server.url}/reset-password`)
    await page.getByLabel('New password').fill('second-password-2')
    await submit(page).click()
    await expect(page.getByText('Your new password is set.')).toBeVisible()
    await logout(page).click()
    await expect(login(page)).toBeVisible()
    await signIn(page, email, 'second-password-2')
  })

  await test.step('delete the account', async () => {
    await page.goto(`${server.url}/profile`)
    await page.getByText('Account settings').click()
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByLabel('Your password').fill('second-password-2')
    await page.getByRole('button', { name: 'Delete account', exact: true }).click()
    await expect(page.getByText('Your account is deleted.')).toBeVisible()
    await expect(login(page)).toBeVisible()
    await expect(page).toHaveURL(`${server.url}/`)
    const { count } = await rest.from('users').select('*', { count: 'exact', head: true }).eq('email', email)
    expect(count).toBe(0)
    await page.goto(`${server.url}/login`)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('second-password-2')
    await submit(page).click()
    await expect(page.locator('main').getByRole('alert')).toHaveText('Invalid login credentials')
  })
})
