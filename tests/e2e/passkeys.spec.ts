import { codeOf, protect } from '#tests/support/protected-member.ts'
import { expect, type Page, storeSession, test } from '#tests/support/site.ts'

// Passkeys belong to a name; an address in numbers is none.
test.use({ serverOptions: { host: 'localhost' } })

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const logout = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Logout' })
const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

/**
 * An authenticator that remembers its keys and always gets the right finger: `internal` is built into a phone or laptop,
 * `usb` is a key that is plugged in.
 */
async function addAuthenticator(page: Page, transport: 'internal' | 'usb' = 'internal'): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('a passkey is added, named, signs in without a password, and is removed', async ({
  page,
  signInAs,
  axeFindings,
}) => {
  await addAuthenticator(page)
  await signInAs('member')
  await page.goto('/profile/security')
  const passkeys = section(page, 'Passkeys')
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(passkeys.getByRole('listitem')).toHaveCount(1)
  await passkeys.getByRole('button', { name: /^Rename/ }).click()
  await passkeys.getByLabel('Name').fill('Blue laptop')
  await page.keyboard.press('Enter')
  await expect(passkeys.getByRole('listitem')).toContainText('Blue laptop')
  await expect(passkeys.getByRole('listitem')).toContainText('not used yet')
  expect(await axeFindings(page, 'light')).toEqual([])

  await logout(page).click()
  await page.goto('/login')
  await passkeyButton(page).click()
  await expect(page).toHaveURL('/')
  await expect(logout(page)).toBeVisible()

  await page.goto('/profile/security')
  await expect(passkeys.getByRole('listitem')).toContainText('last used just now')
  await passkeys.getByRole('button', { name: 'Remove: Blue laptop' }).click()
  await passkeys.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(passkeys.getByRole('listitem')).toHaveCount(0)
})

test('one device holds one passkey for an account', async ({ page, signInAs }) => {
  await addAuthenticator(page)
  await signInAs('member')
  await page.goto('/profile/security')
  const passkeys = section(page, 'Passkeys')
  const add = passkeys.getByRole('button', { name: 'Add a passkey' })
  await add.click()
  await expect(passkeys.getByRole('listitem')).toHaveCount(1)
  await add.click()
  await expect(passkeys.getByRole('alert')).toHaveText(
    'This device holds a passkey for your account already.',
  )
})

test('a passkey that was removed is refused kindly', async ({ page, signInAs, expectConsoleErrors }) => {
  expectConsoleErrors()
  await addAuthenticator(page)
  await signInAs('member')
  await page.goto('/profile/security')
  const passkeys = section(page, 'Passkeys')
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  await passkeys.getByRole('button', { name: /^Remove:/ }).click()
  await passkeys.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(passkeys.getByRole('listitem')).toHaveCount(0)
  await logout(page).click()
  await page.goto('/login')
  await passkeyButton(page).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('We do not know this passkey.')
})

test('a protected account asks for its second step after a passkey, too', async ({
  page,
  site,
  addAccount,
}) => {
  await addAuthenticator(page)
  const account = await addAccount('member')
  const { secret, session } = await protect(site, account)
  await storeSession(page, session)
  await page.goto('/profile/security')
  await section(page, 'Passkeys').getByRole('button', { name: 'Add a passkey' }).click()
  await expect(section(page, 'Passkeys').getByRole('listitem')).toHaveCount(1)
  await logout(page).click()
  await page.goto('/login')
  await passkeyButton(page).click()
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 0))
  await page.keyboard.press('Enter')
  await expect(logout(page)).toBeVisible()
})

test('a security key as the second step: added, then asked for after the password', async ({
  page,
  signInAs,
  axeFindings,
}) => {
  await addAuthenticator(page, 'usb')
  const account = await signInAs('member')
  await page.goto('/profile/security')
  const steps = section(page, 'Second step')
  await steps.getByRole('button', { name: 'Add a security key' }).click()
  await steps.getByLabel('A name for it').fill('Key ring')
  await page.keyboard.press('Enter')
  await expect(steps.getByRole('list')).toContainText('Key ring')
  await logout(page).click()

  await page.goto('/login')
  await page.getByLabel('E-mail').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  const use = page.getByRole('button', { name: 'Use the key' })
  await expect(use).toBeFocused()
  expect(await axeFindings(page, 'dark')).toEqual([])
  await use.click()
  await expect(logout(page)).toBeVisible()
})
