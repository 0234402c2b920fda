import { openSessionFor } from '#tests/support/members.ts'
import { expect, type Page, settled, test } from '#tests/support/site.ts'

const banner = (page: Page) => page.getByRole('banner')
const profileLink = (page: Page) => banner(page).getByRole('link', { name: /^Your profile/ })
const login = (page: Page) => banner(page).getByRole('link', { name: 'Login' })
const logout = (page: Page) => banner(page).getByRole('button', { name: 'Logout' })

/** What a script holds that only members need: the auth client, the heart, the sanitiser, what admins do. */
const membersCode = /GoTrueClient|save_resource|it reads differently every time|restore_resource/

test('a visitor downloads no auth code, on Home, in the listing and from page to page', async ({ page }) => {
  const scripts = new Set<string>()
  page.on('request', (request) => {
    if (request.url().endsWith('.js')) scripts.add(request.url())
  })
  await page.goto('/')
  await page.getByRole('link', { name: 'Explore Resources' }).first().click()
  await expect(page).toHaveURL('/resources')
  await page.getByRole('main').getByRole('article').getByRole('link').first().click()
  await expect(page).toHaveURL(/\/resource\//)
  await settled(page)
  expect(scripts.size).toBeGreaterThan(5)
  for (const url of scripts) expect(await (await page.request.get(url)).text(), url).not.toMatch(membersCode)
})

test('a member sees the picture and Logout, and never Login', async ({ page, signInAs }) => {
  await signInAs('member')
  await page.addInitScript(() => {
    const seen = () => {
      const link = document.querySelector<HTMLElement>('header a[href="/login"]')
      if (link?.checkVisibility()) document.documentElement.dataset.blinked = 'true'
      requestAnimationFrame(seen)
    }
    requestAnimationFrame(seen)
  })
  await page.goto('/')
  await expect(profileLink(page)).toHaveAttribute('href', '/profile')
  await expect(logout(page)).toBeVisible()
  await expect(login(page)).toHaveCount(0)
  await expect(page.locator('html')).not.toHaveAttribute('data-blinked')
})

test('admins carry a shield, members do not', async ({ page, signInAs }) => {
  await signInAs('admin')
  await page.goto('/about')
  await expect(profileLink(page)).toHaveAccessibleName(/\(admin\)$/)
  await expect(profileLink(page).locator('svg.icon')).toBeVisible()
})

test('the menu of a phone holds the account', async ({ page, signInAs, axeFindings }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signInAs('member')
  await page.goto('/')
  await banner(page).locator('summary').click()
  await expect(profileLink(page)).toBeVisible()
  expect(await axeFindings(page, 'light')).toEqual([])
  await logout(page).click()
  await expect(login(page)).toBeVisible()
})

test('logging out in one tab logs out the other, and logging in appears in it', async ({
  page,
  signInAs,
  context,
}) => {
  const account = await signInAs('member')
  await page.goto('/about')
  await expect(logout(page)).toBeVisible()
  const other = await context.newPage()
  await other.goto('/resources')
  await expect(logout(other)).toBeVisible()

  await logout(page).click()
  await expect(page.getByRole('status').filter({ hasText: 'You are logged out.' })).toBeVisible()
  await expect(login(page)).toBeVisible()
  await expect(login(other)).toBeVisible()
  await expect(other.getByText('You have been logged out.')).toBeVisible()

  await page.goto('/login')
  await page.getByLabel('E-mail').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(logout(page)).toBeVisible()
  await expect(logout(other)).toBeVisible()
})

test('a session that the service has ended signs out kindly', async ({
  page,
  site,
  addAccount,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  const account = await addAccount('member')
  const session = await openSessionFor(site, account)
  await page.goto('/robots.txt')
  const expired = { ...session, expires_at: 1, refresh_token: 'aaaaaaaaaaaa' }
  await page.evaluate(
    (stored) => localStorage.setItem('walking-together-session', stored),
    JSON.stringify(expired),
  )
  await page.goto('/about')
  await expect(login(page)).toBeVisible()
  await expect(page.getByText('You have been logged out.')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('walking-together-session'))).toBeNull()
})

test('being offline is no sign-out', async ({ page, signInAs, context, expectConsoleErrors }) => {
  expectConsoleErrors()
  await signInAs('member')
  await page.goto('/about')
  await expect(logout(page)).toBeVisible()
  await context.route('**/auth/v1/**', (route) => route.abort())
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('walking-together-session') ?? '{}')
    localStorage.setItem('walking-together-session', JSON.stringify({ ...session, expires_at: 1 }))
  })
  const refused = page.waitForEvent('requestfailed', (request) => request.url().includes('/auth/v1/'))
  await page.reload()
  await refused
  await settled(page)
  await expect(login(page)).toBeHidden()
  expect(await page.evaluate(() => localStorage.getItem('walking-together-session'))).not.toBeNull()
  await context.unroute('**/auth/v1/**')
  await page.reload()
  await expect(logout(page)).toBeVisible()
})

test.describe('with "Remember me" off', () => {
  const signIn = async (page: Page, { email, password }: { email: string; password: string }) => {
    await page.goto('/login')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Remember me').uncheck()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(logout(page)).toBeVisible()
  }

  test('other tabs and reloads keep the session', async ({ page, addAccount, context }) => {
    await signIn(page, await addAccount('member'))
    const other = await context.newPage()
    await other.goto('/about')
    await expect(logout(other)).toBeVisible()
    await page.close()
    await other.reload()
    await expect(logout(other)).toBeVisible()
  })

  test('it ends with the browser', async ({ page, addAccount, context, browser }) => {
    await signIn(page, await addAccount('member'))
    // What local storage holds outlives the browser; session storage and tabs do not.
    const later = await browser.newContext({ storageState: await context.storageState() })
    const reopened = await later.newPage()
    await reopened.goto(page.url())
    await expect(login(reopened)).toBeVisible()
    expect(await reopened.evaluate(() => localStorage.getItem('walking-together-session'))).toBeNull()
    await later.close()
  })
})
