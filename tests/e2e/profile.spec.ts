import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '#tests/support/site.ts'

const main = (page: Page) => page.getByRole('main')
const saved = (page: Page) => page.getByRole('region', { name: 'Your Saved Resources' })

test('a visitor is asked to log in', async ({ page, axeFindings }) => {
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Please log in to view your profile' })).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Go to Login' })).toHaveAttribute('href', '/login')
  expect(await axeFindings(page, 'light')).toEqual([])
})

test('a member finds name, e-mail, side links, the empty list and three recommendations', async ({
  page,
  signInAs,
  axeFindings,
}) => {
  const { email } = await signInAs('member')
  await page.goto('/profile')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(email.split('@')[0] ?? '')
  await expect(main(page).getByText(email)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Admin Dashboard' })).toHaveCount(0)
  for (const name of ['My Favorites', 'Recently Viewed']) {
    const link = page.getByRole('button', { name })
    await link.click()
    await expect(link.getByText('Coming soon')).toBeVisible()
  }
  await page.getByRole('link', { name: 'Saved Resources', exact: true }).click()
  await expect(page).toHaveURL('/profile#saved')
  await expect(saved(page).getByText('No saved resources yet')).toBeVisible()
  await expect(saved(page).getByRole('link', { name: 'Explore Resources' })).toHaveAttribute(
    'href',
    '/resources',
  )
  await expect(page.getByRole('region', { name: 'Recommended For You' }).getByRole('article')).toHaveCount(3)
  expect(await axeFindings(page, 'light')).toEqual([])
  expect(await axeFindings(page, 'dark')).toEqual([])
})

test('an admin finds the dashboard', async ({ page, signInAs }) => {
  await signInAs('admin')
  await page.goto('/profile')
  await main(page).getByRole('link', { name: 'Admin Dashboard' }).click()
  await expect(page).toHaveURL('/admin')
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible()
})

test('shows what is saved, private ones too, the last first; the heart takes one away', async ({
  page,
  signInAs,
  addResource,
}) => {
  const one = await addResource({ title: 'Saved first' })
  const two = await addResource({ title: 'Saved then', public: false })
  await signInAs('member', { saved: [one.id, two.id] })
  await page.goto('/profile')
  await expect(saved(page).getByRole('heading', { level: 3 })).toHaveText(['Saved then', 'Saved first'])
  await saved(page).getByRole('button', { name: 'Save Saved first' }).click()
  await expect(saved(page).getByRole('heading', { level: 3 })).toHaveText(['Saved then'])
})

test('Log Out leads to Home', async ({ page, signInAs }) => {
  await signInAs('member')
  await page.goto('/profile')
  await main(page).getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
})

test.describe('account settings', () => {
  test.beforeEach(async ({ page, signInAs }) => {
    await signInAs('member')
    await page.goto('/profile')
    await page.getByText('Account settings').click()
  })

  test('name and picture can be changed, and stay', async ({ page, axeFindings }) => {
    await page.getByLabel('Name').fill('Robin Miller')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Robin Miller')
    await expect(page.getByRole('link', { name: 'Your profile, Robin Miller' })).toContainText('RM')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Robin Miller')
    await page.getByText('Account settings').click()
    expect(await axeFindings(page, 'light')).toEqual([])
  })

  test('a new name appears in the other tabs', async ({ page, context }) => {
    const other = await context.newPage()
    await other.goto('/resources')
    await page.getByLabel('Name').fill('Sam Baker')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(other.getByRole('link', { name: 'Your profile, Sam Baker' })).toContainText('SB')
  })

  test('a name is needed, and a picture must be on https', async ({ page }) => {
    await page.getByLabel('Name').fill(' ')
    await page.getByLabel('Picture address').fill('javascript:alert(1)')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Please enter a name.')).toBeVisible()
    await expect(page.getByText('Please enter an address that begins with https://')).toBeVisible()
  })

  test('all data can be downloaded as JSON', async ({ page }) => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download my data' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('walking-together-my-data.json')
    const data = JSON.parse(await readFile(await file.path(), 'utf8'))
    expect(Object.keys(data).toSorted()).toEqual([
      'account',
      'events',
      'factors',
      'identities',
      'passkeys',
      'profile',
      'savedResources',
      'sessions',
    ])
    expect(data.sessions[0].user_agent).toBeTruthy()
  })

  test('a wrong password deletes nothing', async ({ page, expectConsoleErrors, axeFindings }) => {
    expectConsoleErrors()
    await page.getByRole('button', { name: 'Delete my account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await expect(dialog).toContainText('saved resources are lost for good')
    await dialog.getByLabel('Your password').fill('not-the-password')
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Invalid login credentials')
    expect(await axeFindings(page, 'light')).toEqual([])
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
})

test.describe('admin pages', () => {
  const paths = {
    '/admin': '/admin',
    '/resources/new': '/resources/new',
    '/resources/edit/{id}': (id: string) => `/resources/edit/${id}`,
  }
  for (const [name, to] of Object.entries(paths)) {
    test(`${name} is for admins; everybody else goes to Home`, async ({ page, addResource, signInAs }) => {
      const path = typeof to === 'string' ? to : to((await addResource()).id)
      await page.goto(path)
      await expect(page).toHaveURL('/')
      await signInAs('member')
      await page.goto(path)
      await expect(page).toHaveURL('/')
      await signInAs('admin')
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Dashboard|resource/)
      await expect(page).toHaveURL(path)
    })
  }
})
