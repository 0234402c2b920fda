import { codeIn, messageTo } from '#tests/support/outbox.ts'
import { codeOf, memberClient } from '#tests/support/protected-member.ts'
import { expect, type Page, test } from '#tests/support/site.ts'

test.use({ serverOptions: { env: { AUTH_EMAIL_INTERVAL: '0', ADMIN_REQUIRE_MFA: 'always' } } })

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const said = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

test('an admin without a second step is led to add one, and then on', async ({
  page,
  signInAs,
  axeFindings,
}) => {
  await signInAs('admin')
  await page.goto('/admin')
  await expect(page).toHaveURL('/profile/security?next=%2Fadmin')
  await expect(page.getByText('The admin area asks for a second step.')).toBeVisible()
  expect(await axeFindings(page, 'light')).toEqual([])
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  await page.keyboard.press('Enter')
  const secret = (await page.locator('code').textContent()) ?? ''
  await page.getByLabel('Code').fill(codeOf(secret, 0))
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Go on to the admin area' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible()
})

test('a phone is added by the code that was texted to it', async ({
  page,
  site,
  signInAs,
  expectConsoleErrors,
}) => {
  await signInAs('member')
  expectConsoleErrors()
  const phone = `1555${String(Date.now()).slice(-7)}`
  await page.goto('/profile/security')
  const steps = section(page, 'Second step')
  await steps.getByRole('button', { name: 'Add a phone' }).click()
  await steps.getByLabel('Phone number').fill('12')
  await page.keyboard.press('Enter')
  await expect(steps.getByRole('alert')).toContainText('Please enter the number with the country’s code')
  await steps.getByLabel('Phone number').fill(`+${phone.slice(0, 4)} ${phone.slice(4)}`)
  await page.keyboard.press('Enter')
  await expect(steps.getByLabel('Code')).toBeFocused()
  await steps.getByLabel('Code').fill(codeIn(await messageTo(site, `+${phone}`)))
  await page.keyboard.press('Enter')
  await said(page, 'Your second step is on.')
  await expect(steps.getByRole('list')).toContainText(`+${phone}`)
})

test('a code by text message', async ({ page, site, addAccount }) => {
  const account = await addAccount('member')
  const phone = `1555${String(Date.now()).slice(-7)}`
  const client = memberClient(site)
  await client.signInWithPassword({ email: account.email, password: account.password })
  const { data } = await client.mfa.enroll({ factorType: 'phone', phone: `+${phone}` })
  const { data: challenge } = await client.mfa.challenge({ factorId: data?.id ?? '', channel: 'sms' })
  const first = codeIn(await messageTo(site, `+${phone}`))
  const proved = await client.mfa.verify({
    factorId: data?.id ?? '',
    challengeId: challenge?.id ?? '',
    code: first,
  })
  expect(proved.error).toBeNull()

  await page.goto('/login')
  await page.getByLabel('E-mail').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Text me a code' }).click()
  await expect(page.getByText('We have texted you a code.')).toBeVisible()
  await expect.poll(async () => codeIn(await messageTo(site, `+${phone}`))).not.toBe(first)
  await page.getByLabel('Code', { exact: true }).fill(codeIn(await messageTo(site, `+${phone}`)))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
})
