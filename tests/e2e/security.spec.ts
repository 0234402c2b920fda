import { readFile } from 'node:fs/promises'
import { codeOf, memberClient, protect } from '#tests/support/protected-member.ts'
import { expect, type Page, storeSession, test } from '#tests/support/site.ts'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const said = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

test('a visitor is asked to log in', async ({ page }) => {
  await page.goto('/profile/security')
  await expect(page.getByRole('heading', { name: 'Please log in to view your profile' })).toBeVisible()
})

test('an authenticator app is added: picture, key as text, first code; then recovery codes, shown once', async ({
  page,
  site,
  signInAs,
  axeFindings,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  const account = await signInAs('member')
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Account Security' }).click()
  await expect(page).toHaveURL('/profile/security')
  const steps = section(page, 'Second step')
  await expect(steps).toContainText('protected by its password alone')
  await expect(section(page, 'Recovery codes')).toHaveCount(0)
  expect(await axeFindings(page, 'light')).toEqual([])

  await steps.getByRole('button', { name: 'Add an authenticator app' }).click()
  await steps.getByLabel('A name for it').fill('Kitchen phone')
  await page.keyboard.press('Enter')
  await expect(steps.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = (await steps.locator('code').textContent()) ?? ''
  expect(secret).toMatch(/^([A-Z2-7]{4} ?){8}$/)
  expect(await axeFindings(page, 'dark')).toEqual([])
  await steps.getByLabel('Code').fill('000000')
  await page.keyboard.press('Enter')
  await expect(steps.getByRole('alert')).toContainText('That code did not work.')
  await steps.getByLabel('Code').fill(codeOf(secret, -1))
  await page.keyboard.press('Enter')
  await said(page, 'Your second step is on.')
  await expect(steps.getByText('Kitchen phone')).toBeVisible()
  await expect(steps.getByRole('heading', { name: 'Second step' })).toBeFocused()

  const codes = section(page, 'Recovery codes')
  await codes.getByRole('button', { name: 'Make recovery codes' }).click()
  await expect(codes.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
  const first = (await codes.getByRole('listitem').first().textContent()) ?? ''
  const download = page.waitForEvent('download')
  await codes.getByRole('button', { name: 'Download' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(file).toContain(first)
  expect(file).toContain(account.email)
  expect(await axeFindings(page, 'light')).toEqual([])
  await page.emulateMedia({ media: 'print' })
  await expect(codes.getByRole('listitem').first()).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  await expect(codes).toContainText('10 of 10 codes left')
  await page.reload()
  await expect(page.getByText(first)).toHaveCount(0)

  const client = memberClient(site)
  await client.signInWithPassword({ email: account.email, password: account.password })
  const { data } = await client.mfa.recoveryCodes.verify({ code: first })
  expect(data?.access_token).toBeTruthy()
})

test('an app can be removed, after a question; the codes go with it', async ({
  page,
  site,
  addAccount,
  axeFindings,
}) => {
  const account = await addAccount('member')
  const { session } = await protect(site, account)
  await storeSession(page, session)
  await page.goto('/profile/security')
  const steps = section(page, 'Second step')
  await steps.getByRole('button', { name: 'Remove: My phone' }).click()
  await expect(steps).toContainText('Your password alone then opens your account')
  await expect(steps.getByRole('button', { name: 'Cancel' })).toBeFocused()
  expect(await axeFindings(page, 'light')).toEqual([])
  await page.keyboard.press('Enter')
  await expect(steps.getByRole('button', { name: 'Remove: My phone' })).toBeFocused()
  await page.keyboard.press('Enter')
  await steps.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(steps).toContainText('protected by its password alone')
  await expect(section(page, 'Recovery codes')).toHaveCount(0)
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
})

test('new recovery codes take the place of the old ones', async ({ page, site, addAccount }) => {
  const account = await addAccount('member')
  const { session, codes } = await protect(site, account)
  await storeSession(page, session)
  await page.goto('/profile/security')
  const place = section(page, 'Recovery codes')
  await place.getByRole('button', { name: 'Make new codes: recovery codes' }).click()
  await place.getByRole('button', { name: 'Make new codes', exact: true }).click()
  await expect(place.getByRole('listitem')).toHaveCount(10)
  const client = memberClient(site)
  await client.signInWithPassword({ email: account.email, password: account.password })
  const { error } = await client.mfa.recoveryCodes.verify({ code: codes[0] ?? '' })
  expect(error?.code).toBe('mfa_verification_failed')
})

test('on a phone, in the dark, all of it is within reach', async ({
  page,
  site,
  addAccount,
  axeFindings,
}) => {
  await page.setViewportSize({ width: 320, height: 720 })
  const account = await addAccount('member')
  const { session } = await protect(site, account)
  await storeSession(page, session)
  await page.goto('/profile/security')
  await expect(section(page, 'Where you are signed in')).toBeVisible()
  expect(await axeFindings(page, 'dark')).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('a protected account is deleted by its second step, not by the password', async ({
  page,
  site,
  addAccount,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  const account = await addAccount('member')
  const { secret, session } = await protect(site, account)
  await storeSession(page, session)
  await page.goto('/profile')
  await page.getByText('Account settings').click()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await expect(dialog.getByLabel('Your password')).toHaveCount(0)
  await dialog.getByLabel('Code', { exact: true }).fill('000000')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(dialog.getByRole('alert')).toContainText('That code did not work.')
  await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret, 0))
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByText('Your account is deleted.')).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
})
