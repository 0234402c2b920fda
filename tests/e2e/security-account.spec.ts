import { openSessionFor } from '#tests/support/members.ts'
import { codeIn, linkIn, messageTo } from '#tests/support/outbox.ts'
import { memberClient } from '#tests/support/protected-member.ts'
import { expect, type Page, test } from '#tests/support/site.ts'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const said = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

test('sessions are listed in plain words, and end one by one or all at once', async ({
  page,
  site,
  signInAs,
  browser,
}) => {
  const account = await signInAs('member')
  const context = await browser.newContext({ baseURL: site.url, userAgent: IPHONE })
  const other = await context.newPage()
  await other.goto('/login')
  await other.getByLabel('E-mail').fill(account.email)
  await other.getByLabel('Password', { exact: true }).fill(account.password)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(other).toHaveURL('/')
  await openSessionFor(site, account)

  await page.goto('/profile/security')
  const sessions = section(page, 'Where you are signed in')
  await expect(sessions.getByRole('listitem')).toHaveCount(3)
  await expect(sessions).toContainText('Safari on an iPhone')
  await expect(sessions).toContainText('Network 127.0.0.x')
  await expect(sessions.getByText('This device')).toHaveCount(1)
  await sessions.getByRole('button', { name: 'Sign out: Safari on an iPhone' }).click()
  await sessions.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await other.goto('/profile/security')
  await expect(other.getByRole('heading', { name: 'Please log in to view your profile' })).toBeVisible()
  await context.close()

  await sessions.getByRole('button', { name: /^Sign out everywhere else/ }).click()
  await sessions.getByRole('button', { name: 'Sign out everywhere else', exact: true }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await said(page, 'All other devices are signed out.')
})

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

test('a new password signs in, the old one does not', async ({
  page,
  site,
  signInAs,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  const account = await signInAs('member')
  await page.goto('/profile/security')
  const place = section(page, 'Password')
  await place.getByRole('button', { name: 'Change password' }).click()
  await expect(place.getByRole('alert')).toHaveText('Please fill in all fields')
  await place.getByLabel('New password').fill('short')
  await page.keyboard.press('Enter')
  await expect(place.getByRole('alert')).toContainText('Password should be')
  await place.getByLabel('New password').fill('four calm words walking')
  await page.keyboard.press('Enter')
  await said(page, 'Your new password is set.')
  const { email, password } = account
  expect((await memberClient(site).signInWithPassword({ email, password })).error?.code).toBe(
    'invalid_credentials',
  )
  const again = await memberClient(site).signInWithPassword({ email, password: 'four calm words walking' })
  expect(again.error).toBeNull()
})

test('where the service wants to be sure who asks, a code from the mailbox is needed', async ({
  page,
  site,
  signInAs,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  const { email } = await signInAs('member')
  await page.goto('/profile/security')
  await expect(section(page, 'Password')).toBeVisible()
  // The service asks when a session is a day old, which no test can wait for; all that follows is real.
  await page.route(
    '**/auth/v1/user',
    (route) =>
      route.fulfill({
        status: 400,
        headers: { 'X-Supabase-Api-Version': '2024-01-01' },
        json: { code: 'reauthentication_needed', message: 'Password update requires reauthentication' },
      }),
    { times: 1 },
  )
  const place = section(page, 'Password')
  await place.getByLabel('New password').fill('four calm words walking')
  await page.keyboard.press('Enter')
  await expect(place.getByLabel('Code from your mailbox')).toBeFocused()
  await place.getByLabel('Code from your mailbox').fill(codeIn(await messageTo(site, email)))
  await page.keyboard.press('Enter')
  await said(page, 'Your new password is set.')
  await expect(place.getByLabel('Code from your mailbox')).toHaveCount(0)
})

test('a new address is confirmed in both mailboxes', async ({ page, site, signInAs }) => {
  const account = await signInAs('member')
  const wanted = `moved-${Date.now()}@example.org`
  await page.goto('/profile/security')
  const place = section(page, 'E-mail')
  await place.getByLabel('New e-mail').fill(account.email)
  await page.keyboard.press('Enter')
  await expect(place.getByRole('alert')).toHaveText('This is your address already.')
  await place.getByLabel('New e-mail').fill(wanted)
  await page.keyboard.press('Enter')
  await expect(place).toContainText(`Two mails are on their way, to ${account.email} and to ${wanted}.`)
  for (const mailbox of [account.email, wanted]) {
    const link = linkIn(await messageTo(site, mailbox))
    await page.goto(link)
    await page.getByRole('button').click()
    await expect(page).toHaveURL('/profile/security')
  }
  await expect(section(page, 'E-mail')).toContainText(`You sign in with ${wanted} now.`)
})
