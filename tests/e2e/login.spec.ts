import type { ServerProcess } from '#tests/support/server-process.ts'
import { expect, type Page, test } from '#tests/support/site.ts'
import { startSite } from '#tests/support/site-server.ts'

const form = (page: Page) => page.getByRole('main')
const email = (page: Page) => page.getByLabel('E-mail')
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const submit = (page: Page) => form(page).locator('button[type=submit]')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Coming Soon!' })
const alert = (page: Page) => form(page).getByRole('alert')

test.describe('sign-in', () => {
  test.beforeEach(({ page }) => page.goto('/login'))

  test('shows its fields, with Remember me on, for password managers', async ({ page, axeFindings }) => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account')
    await expect(email(page)).toHaveAttribute('type', 'email')
    await expect(email(page)).toHaveAttribute('autocomplete', 'username')
    await expect(password(page)).toHaveAttribute('autocomplete', 'current-password')
    await expect(page.getByLabel('Remember me')).toBeChecked()
    for (const name of ['E-mail me a code', 'Use your organisation', /^Continue with/]) {
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    }
    expect(await axeFindings(page, 'light')).toEqual([])
    expect(await axeFindings(page, 'dark')).toEqual([])
  })

  test('says that access is coming soon, and how to ask for it', async ({ page }) => {
    const box = page.getByRole('complementary', { name: 'Access is coming soon' })
    await expect(box.getByRole('link', { name: 'hello@example.org' })).toHaveAttribute(
      'href',
      /^mailto:hello@example\.org\?subject=/,
    )
  })

  for (const name of ['Forgot your password?', 'Create one']) {
    test(`"${name}" opens the Coming Soon dialog, which Got it closes`, async ({ page, axeFindings }) => {
      await page.getByRole('button', { name }).click()
      await expect(dialog(page)).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
      await dialog(page).getByRole('button', { name: 'Got it' }).click()
      await expect(dialog(page)).toBeHidden()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account')
    })
  }

  test('both fields are required', async ({ page, axeFindings }) => {
    await submit(page).click()
    await expect(alert(page)).toHaveText('Please fill in all fields')
    await email(page).fill('somebody@example.org')
    await submit(page).click()
    await expect(alert(page)).toHaveText('Please fill in all fields')
    expect(await axeFindings(page, 'dark')).toEqual([])
  })

  test('a wrong password is told in the words of the service', async ({
    page,
    addAccount,
    expectConsoleErrors,
  }) => {
    expectConsoleErrors()
    const account = await addAccount('member')
    await email(page).fill(account.email)
    await password(page).fill('not-the-password')
    await submit(page).click()
    await expect(alert(page)).toHaveText('Invalid login credentials')
    await expect(submit(page)).toBeEnabled()
  })

  test('without an answer it says that authentication failed', async ({ page, expectConsoleErrors }) => {
    expectConsoleErrors()
    await page.route('**/auth/v1/token**', (route) => route.abort())
    await email(page).fill('somebody@example.org')
    await password(page).fill('correct-horse-9')
    await submit(page).click()
    await expect(alert(page)).toHaveText('Authentication failed')
  })

  test('says Please wait... while it works, and then goes to Home', async ({ page, addAccount }) => {
    const account = await addAccount('member')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/auth/v1/token**', async (route) => {
      await held
      await route.continue()
    })
    await email(page).fill(account.email)
    await password(page).fill(account.password)
    await password(page).press('Enter')
    await expect(submit(page)).toHaveText('Please wait...')
    await expect(submit(page)).toBeDisabled()
    release()
    await expect(page).toHaveURL('/')
    await page.goto('/login')
    await expect(page).toHaveURL('/')
  })

  test('a password can be looked at', async ({ page }) => {
    await password(page).fill('correct-horse-9')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(password(page)).toHaveAttribute('type', 'text')
    await expect(page.getByRole('button', { name: 'Show password' })).toHaveAttribute('aria-pressed', 'true')
  })
})

test('what went wrong with a mailed link is said, and leaves the address', async ({ page }) => {
  const problem =
    'error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired'
  await page.goto(`/about#${problem}`)
  await expect(alert(page)).toHaveText('Email link is invalid or has expired')
  await expect(page).toHaveURL('/login')
  await page.goto(`/reset-password#${problem}`)
  await expect(page.getByRole('alert')).toHaveText('Email link is invalid or has expired')
  await expect(page.getByRole('link', { name: 'Go to Login' })).toBeVisible()
})

test('without JavaScript it says what is needed, and nothing typed can reach an address', async ({
  browser,
  site,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${site.url}/login`)
  await expect(page.getByText('Signing in needs JavaScript.')).toBeVisible()
  await expect(page.locator('main form')).toHaveAttribute('method', 'post')
  await expect(submit(page)).toBeDisabled()
  await context.close()
})

test.describe('with open sign-up', () => {
  let open: ServerProcess
  test.beforeAll(async () => {
    test.setTimeout(90_000)
    open = await startSite({ env: { EARLY_ACCESS: 'off' } })
  })
  test.afterAll(() => open.remove())
  test.beforeEach(({ page }) => page.goto(`${open.url}/login`))

  test('the form turns into sign-up and back, with links to what is accepted', async ({
    page,
    axeFindings,
  }) => {
    await page.getByRole('button', { name: 'Create one' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create your account')
    await expect(password(page)).toHaveAttribute('autocomplete', 'new-password')
    await expect(page.getByRole('link', { name: 'Privacy Policy' }).first()).toHaveAttribute(
      'href',
      '/privacy-policy',
    )
    await expect(page.getByRole('link', { name: 'Terms of Service' }).first()).toHaveAttribute(
      'href',
      '/terms-of-service',
    )
    expect(await axeFindings(page, 'light')).toEqual([])
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account')
  })

  test('both texts must be accepted', async ({ page }) => {
    await page.getByRole('button', { name: 'Create one' }).click()
    await submit(page).click()
    await expect(alert(page)).toHaveText('Please fill in all fields')
    await email(page).fill('new@example.org')
    await password(page).fill('correct-horse-9')
    for (const accepted of [[], ['Privacy Policy'], ['Terms of Service']]) {
      for (const name of ['Privacy Policy', 'Terms of Service']) {
        await page.getByRole('checkbox', { name }).setChecked(accepted.includes(name))
      }
      await submit(page).click()
      await expect(alert(page)).toHaveText(
        'Please accept both the Privacy Policy and Terms of Service to create an account',
      )
    }
  })

  test('a new account is asked to verify its address; the form is cleared and back to sign-in', async ({
    page,
    axeFindings,
  }) => {
    await page.getByRole('button', { name: 'Create one' }).click()
    await email(page).fill(`new-${Date.now()}@example.org`)
    await password(page).fill('correct-horse-9')
    await page.getByRole('checkbox', { name: 'Privacy Policy' }).check()
    await page.getByRole('checkbox', { name: 'Terms of Service' }).check()
    await submit(page).click()
    await expect(form(page).getByRole('status')).toHaveText(
      'Please check your email to verify your account before logging in.',
    )
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account')
    await expect(email(page)).toHaveValue('')
    await expect(password(page)).toHaveValue('')
    expect(await axeFindings(page, 'light')).toEqual([])
    expect(await axeFindings(page, 'dark')).toEqual([])
  })

  test('a weak password is refused in the words of the service', async ({ page, expectConsoleErrors }) => {
    expectConsoleErrors()
    await page.getByRole('button', { name: 'Create one' }).click()
    await email(page).fill(`weak-${Date.now()}@example.org`)
    await password(page).fill('short')
    await page.getByRole('checkbox', { name: 'Privacy Policy' }).check()
    await page.getByRole('checkbox', { name: 'Terms of Service' }).check()
    await submit(page).click()
    await expect(alert(page)).toContainText('Password should be')
  })

  test('the request for a new password gives the same answer for every address', async ({ page }) => {
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reset your password')
    await submit(page).click()
    await expect(alert(page)).toHaveText('Please fill in all fields')
    await email(page).fill('nobody@example.org')
    await submit(page).click()
    await expect(form(page).getByRole('status')).toContainText('If there is an account with this address')
  })
})
