import { adminApi } from '#tests/support/members.ts'
import {
  type OpenIdProvider,
  type OpenIdUser,
  openIdClient,
  startOpenIdProvider,
} from '#tests/support/openid-provider.ts'
import { codeOf, memberClient, protect } from '#tests/support/protected-member.ts'
import { expect, type Page, test } from '#tests/support/site.ts'

const users: OpenIdUser[] = ['known', 'stranger', 'second', 'third', 'fourth'].map((sub) => ({
  sub,
  name: `${sub} at school`,
  email: `${sub}@school.example`,
  email_verified: true,
}))
let school: OpenIdProvider

test.use({
  serverOptions: {
    env: { EARLY_ACCESS: 'off', AUTH_DISABLE_SIGNUP: 'true' },
    envFor: async (url) => {
      school = await startOpenIdProvider({ users, redirectUri: `${url}/auth/v1/callback`, interactive: true })
      return {
        AUTH_SCHOOL_CLIENT_ID: openIdClient.clientId,
        AUTH_SCHOOL_SECRET: openIdClient.secret,
        AUTH_SCHOOL_URL: school.url,
      }
    },
  },
})
test.afterAll(() => school?.stop())

const alert = (page: Page) => page.getByRole('main').getByRole('alert')
const logout = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Logout' })
const links = (page: Page) => page.getByRole('region', { name: 'Linked accounts' })
const choose = (page: Page, sub: string) => page.getByRole('button', { name: `${sub} at school` }).click()

/** An account whose address is the one that the provider vouches for. Each test takes another one. */
async function addKnown(site: Parameters<typeof adminApi>[0], email: string, password = 'correct-horse-9') {
  const { data, error } = await adminApi(site).createUser({ email, password, email_confirm: true })
  if (error) throw error
  return { id: data.user.id, email, password }
}

async function goToSchool(page: Page) {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Continue with School' }).click()
  await expect(page.getByRole('heading', { name: 'Who are you?' })).toBeVisible()
}

test('the login page offers what is configured, and nothing else; the form stays first', async ({
  page,
  axeFindings,
}) => {
  await page.goto('/login')
  await expect(page.getByRole('button', { name: /^Continue with/ })).toHaveText(['Continue with School'])
  await expect(page.getByRole('button', { name: 'Use your organisation' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'E-mail me a code' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account')
  expect(await axeFindings(page, 'light')).toEqual([])
  expect(await axeFindings(page, 'dark')).toEqual([])
})

test('somebody whose verified address is known is signed in', async ({ page, site }) => {
  await addKnown(site, 'known@school.example')
  await goToSchool(page)
  await choose(page, 'known')
  await expect(page).toHaveURL('/')
  await expect(logout(page)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Your profile, known' })).toBeVisible()
})

test('who says no there is told so kindly, and no trace stays in the address', async ({ page }) => {
  await goToSchool(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(alert(page)).toHaveText('That was cancelled, or took too long. You can try again at any time.')
  await expect(page).toHaveURL('/login')
})

test('a stranger learns that new accounts are not open yet', async ({ page }) => {
  await goToSchool(page)
  await choose(page, 'stranger')
  await expect(alert(page)).toHaveText(
    'There is no account with this address, and new accounts are not open to everyone yet.',
  )
})

test('a protected account asks for its second step after the provider, too', async ({ page, site }) => {
  const account = await addKnown(site, 'second@school.example')
  const { secret } = await protect(site, account)
  await goToSchool(page)
  await choose(page, 'second')
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await expect(logout(page)).toHaveCount(0)
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 0))
  await page.keyboard.press('Enter')
  await expect(logout(page)).toBeVisible()
})

test('an account is linked and unlinked on the security page; the session stays what it was', async ({
  page,
  signInAs,
  axeFindings,
}) => {
  await signInAs('member')
  await page.goto('/profile/security')
  await links(page).getByRole('button', { name: 'Link School' }).click()
  await choose(page, 'third')
  await expect(page).toHaveURL('/profile/security')
  await expect(links(page).getByRole('listitem')).toHaveCount(2)
  await expect(links(page)).toContainText('third@school.example')
  await expect(
    page.getByRole('region', { name: 'Where you are signed in' }).getByRole('listitem'),
  ).toHaveCount(1)
  expect(await axeFindings(page, 'light')).toEqual([])
  await links(page).getByRole('button', { name: 'Unlink: School' }).click()
  await links(page).getByRole('button', { name: 'Unlink', exact: true }).click()
  await expect(links(page).getByRole('listitem')).toHaveCount(1)
})

test('what belongs to somebody else cannot be linked', async ({ page, site, signInAs }) => {
  await addKnown(site, 'fourth@school.example')
  await goToSchool(page)
  await choose(page, 'fourth')
  await logout(page).click()
  // The school forgets them, and asks again who they are.
  await page.context().clearCookies()
  await signInAs('member')
  await page.goto('/profile/security')
  await links(page).getByRole('button', { name: 'Link School' }).click()
  await choose(page, 'fourth')
  await expect(alert(page)).toHaveText('That account is linked already, to you or to another account here.')
  await expect(page).toHaveURL('/profile/security')
  await expect(logout(page)).toBeVisible()
})

test('the only way in is kept, and why is said kindly', async ({
  page,
  site,
  signInAs,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  const { email, password } = await signInAs('member')
  await page.goto('/profile/security')
  await links(page).getByRole('button', { name: 'Link School' }).click()
  await choose(page, 'stranger')
  await expect(links(page).getByRole('listitem')).toHaveCount(2)
  const client = memberClient(site)
  await client.signInWithPassword({ email, password })
  const { data } = await client.getUserIdentities()
  const own = data?.identities.find(({ provider }) => provider === 'email')
  expect(own && (await client.unlinkIdentity(own)).error).toBeNull()
  // That has ended the other sessions, this one among them.
  await page.reload()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  await expect(logout(page)).toBeHidden()
  await page.context().clearCookies()
  await goToSchool(page)
  await choose(page, 'stranger')
  await expect(logout(page)).toBeVisible()
  await page.goto('/profile/security')
  await links(page).getByRole('button', { name: 'Unlink: School' }).click()
  await links(page).getByRole('button', { name: 'Unlink', exact: true }).click()
  await expect(links(page).getByRole('alert')).toHaveText(
    'This is your only way to sign in, so it cannot be removed. Link another account first.',
  )
})
