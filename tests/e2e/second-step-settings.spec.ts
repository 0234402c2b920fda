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

test('an admin without a second step is shown nothing that cannot be done yet, and the way to it', async ({
  page,
  signInAs,
  axeFindings,
}) => {
  await signInAs('admin')
  await page.goto('/resources/reading')
  const card = page.getByRole('article').first()
  await expect(card.getByRole('button', { name: /^Save / })).toBeVisible()
  await expect(page.getByRole('link', { name: /^(Edit|Add) / })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Delete / })).toHaveCount(0)
  await card.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/resource\//)
  const way = page.getByRole('link', { name: 'Add a second step to edit as an admin' })
  await expect(way).toBeVisible()
  expect(await axeFindings(page, 'light')).toEqual([])
  const resource = page.url()
  await way.click()
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  await page.keyboard.press('Enter')
  const secret = (await page.locator('code').textContent()) ?? ''
  await page.getByLabel('Code').fill(codeOf(secret, 0))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Go on to the admin area' })).toBeVisible()
  await page.goto(resource)
  await expect(page.getByRole('link', { name: /^Edit / })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Delete / })).toBeVisible()
  await expect(way).toHaveCount(0)
})

test('a change that asks for the second step again loses nothing that was typed', async ({
  page,
  site,
  signInAs,
  expectConsoleErrors,
  axeFindings,
}) => {
  await signInAs('member')
  expectConsoleErrors()
  await page.goto('/profile/security')
  const steps = section(page, 'Second step')
  const secrets: string[] = []
  for (const name of ['My phone', 'Tablet']) {
    await steps.getByRole('button', { name: 'Add an authenticator app' }).click()
    await steps.getByLabel('A name for it').fill(name)
    await page.keyboard.press('Enter')
    const secret = (await page.locator('code').textContent()) ?? ''
    secrets.push(secret)
    await steps.getByLabel('Code').fill(codeOf(secret, 0))
    await page.keyboard.press('Enter')
    await expect(steps.getByRole('list')).toContainText(name)
  }
  // Somebody takes the factor away by which this browser's session got its assurance.
  const stored = await page.evaluate(() =>
    Object.values(localStorage).find((value) => value.includes('"access_token"')),
  )
  const { user } = JSON.parse(stored ?? '{}')
  const tablet = user.factors.find((factor: { friendly_name: string }) => factor.friendly_name === 'Tablet')
  const removed = await fetch(`${site.url}/auth/v1/admin/users/${user.id}/factors/${tablet.id}`, {
    method: 'DELETE',
    headers: { apikey: site.keys.secret, authorization: `Bearer ${site.keys.secret}` },
  })
  expect(removed.status).toBe(200)

  const password = section(page, 'Password')
  await password.getByLabel('New password').fill('three-quiet-owls-7')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'One more step' })
  await expect(dialog).toBeVisible()
  expect(await axeFindings(page, 'light')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(password.getByRole('alert')).toContainText('with your second step')
  await expect(password.getByLabel('New password')).toHaveValue('three-quiet-owls-7')
  await password.getByRole('button', { name: 'Change password' }).click()
  await dialog.getByLabel('Code').fill(codeOf(secrets[0] ?? '', 1))
  await page.keyboard.press('Enter')
  await said(page, 'Your new password is set.')
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
