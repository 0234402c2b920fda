import type { Account } from '#tests/support/members.ts'
import { linkIn, messageTo } from '#tests/support/outbox.ts'
import { codeOf, memberClient, protect } from '#tests/support/protected-member.ts'
import { expect, type Page, test } from '#tests/support/site.ts'

const main = (page: Page) => page.getByRole('main')
const step = (page: Page) => page.getByRole('heading', { level: 1, name: 'One more step' })
const loginLink = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Login' })
const logout = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Logout' })
const code = (page: Page) => page.getByLabel('Code', { exact: true })

async function givePassword(page: Page, { email, password }: Account, path = '/login') {
  await page.goto(path)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('after the password the app’s code is asked for; nobody is signed in before, in no tab', async ({
  page,
  context,
  site,
  addAccount,
  axeFindings,
}) => {
  const account = await addAccount('member')
  const { secret } = await protect(site, account)
  const other = await context.newPage()
  await other.goto('/about')
  await givePassword(page, account)
  await expect(step(page)).toBeVisible()
  await expect(code(page)).toBeFocused()
  await expect(code(page)).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(code(page)).toHaveAttribute('inputmode', 'numeric')
  for (const tab of [page, other]) {
    await expect(loginLink(tab)).toBeVisible()
    await expect(logout(tab)).toHaveCount(0)
  }
  await other.goto('/profile')
  await expect(other.getByRole('heading', { name: 'Please log in to view your profile' })).toBeVisible()
  expect(await axeFindings(page, 'light')).toEqual([])
  expect(await axeFindings(page, 'dark')).toEqual([])

  const digits = codeOf(secret, 0)
  await code(page).fill(`${digits.slice(0, 3)} ${digits.slice(3)}`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/')
  await expect(logout(page)).toBeVisible()
  await expect(logout(other)).toBeVisible()
})

test('a wrong code is told kindly, and the field is ready for the next', async ({
  page,
  site,
  addAccount,
  expectConsoleErrors,
  axeFindings,
}) => {
  expectConsoleErrors()
  const account = await addAccount('member')
  const { secret } = await protect(site, account)
  await givePassword(page, account)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(main(page).getByRole('alert')).toHaveText('Please fill in all fields')
  await code(page).fill('000000')
  await page.keyboard.press('Enter')
  await expect(main(page).getByRole('alert')).toHaveText(
    'That code did not work. Please check it and try again.',
  )
  await expect(code(page)).toBeFocused()
  expect(await axeFindings(page, 'dark')).toEqual([])
  await page.keyboard.type(codeOf(secret, 0))
  await page.keyboard.press('Enter')
  await expect(logout(page)).toBeVisible()
})

test('the step waits over a reload and a walk; leaving it for good signs out', async ({
  page,
  site,
  addAccount,
}) => {
  const account = await addAccount('member')
  await protect(site, account)
  await givePassword(page, account)
  await expect(step(page)).toBeVisible()
  await page.reload()
  await expect(step(page)).toBeVisible()
  await page.goto('/resources')
  await loginLink(page).click()
  await expect(step(page)).toBeVisible()
  await page.getByRole('button', { name: 'Sign in with another account' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account')
  expect(await page.evaluate(() => localStorage.getItem('walking-together-session'))).toBeNull()
})

test('a recovery code opens once', async ({ page, site, addAccount, expectConsoleErrors }) => {
  expectConsoleErrors()
  const account = await addAccount('member')
  const { codes } = await protect(site, account)
  const enter = async () => {
    await givePassword(page, account)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page
      .getByLabel('Recovery code')
      .fill(codes[0]?.replaceAll(/(.{4})(?=.)/g, '$1-').toUpperCase() ?? '')
    await page.keyboard.press('Enter')
  }
  await enter()
  await expect(logout(page)).toBeVisible()
  await logout(page).click()
  await expect(loginLink(page)).toBeVisible()
  await enter()
  await expect(main(page).getByRole('alert')).toContainText('That code did not work.')
})

test('a mailed link alone does not open a protected account', async ({ page, site, addAccount }) => {
  const account = await addAccount('member')
  const { secret } = await protect(site, account)
  await memberClient(site).resetPasswordForEmail(account.email, { redirectTo: `${site.url}/reset-password` })
  await page.goto(linkIn(await messageTo(site, account.email)))
  await page.getByRole('button').click()
  await expect(step(page)).toBeVisible()
  await code(page).fill(codeOf(secret, 0))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose a new password')
})

test('an admin who is asked for the second step comes back to where they were going', async ({
  page,
  site,
  addAccount,
}) => {
  const account = await addAccount('admin')
  const { secret } = await protect(site, account)
  await givePassword(page, account)
  await expect(step(page)).toBeVisible()
  await page.goto('/admin')
  await expect(page).toHaveURL('/login?next=%2Fadmin')
  await code(page).fill(codeOf(secret, 0))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/admin')
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible()
})

test('somebody who guesses is stopped', async ({ page, site, addAccount, expectConsoleErrors }) => {
  expectConsoleErrors()
  const account = await addAccount('member')
  const { factorId } = await protect(site, account)
  const client = memberClient(site)
  await client.signInWithPassword({ email: account.email, password: account.password })
  const { mfa } = client
  const challenge = await mfa.challenge({ factorId })
  const guess = () => mfa.verify({ factorId, challengeId: challenge.data?.id ?? '', code: '000000' })
  for (let guesses = 0; guesses < 15; guesses++) await guess()
  await givePassword(page, account)
  await code(page).fill('000000')
  await page.keyboard.press('Enter')
  await expect(main(page).getByRole('alert')).toHaveText(
    'Too many attempts. Please wait a few minutes, then try again.',
  )
})
