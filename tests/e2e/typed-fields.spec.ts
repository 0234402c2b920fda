import { expect, test } from '#tests/support/site.ts'

test('a sign-in that fails keeps the e-mail address, over a reload too, and never the password', async ({
  page,
  addAccount,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  const { email, password } = await addAccount('member')
  await page.goto('/login')
  const address = page.getByLabel('E-mail')
  const secret = page.getByLabel('Password', { exact: true })
  await address.fill(email)
  await secret.fill('not-my-password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(address).toHaveValue(email)
  await page.reload()
  await expect(address).toHaveValue(email)
  await expect(secret).toHaveValue('')
  const stored = await page.evaluate(
    () => JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage }),
  )
  expect(stored).toContain(email)
  expect(stored).not.toContain('not-my-password')
  await secret.fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => sessionStorage.getItem('typed:login'))).toBeNull()
})

test('a profile that is being edited survives another page, a refusal and a reload', async ({
  page,
  signInAs,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  await signInAs('member')
  await page.goto('/profile')
  const open = () => page.getByText('Account settings').click()
  await open()
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Half a name')
  await page.getByRole('link', { name: 'Walking Together' }).first().click()
  await expect(page).toHaveURL('/')
  await page.goBack()
  await open()
  await expect(name).toHaveValue('Half a name')
  await page.route('**/rest/v1/users?id=*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  )
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Your changes could not be saved. Please try again.')).toBeVisible()
  await expect(name).toHaveValue('Half a name')
  await page.unrouteAll()
  await page.reload()
  await open()
  await expect(name).toHaveValue('Half a name')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Your changes are saved.')).toBeVisible()
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('Half a name')
})
