import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/site.ts'

/** Answers as a server does that has another release by now: this one's code is gone, and its list of routes. */
async function replaceRelease(page: Page, code: string, asSoonAs: Promise<void>): Promise<void> {
  await page.route(`**/assets/${code}-*.js`, async (route) => {
    await asSoonAs
    await route.fulfill({ status: 404 })
  })
  await page.route('**/assets/manifest-*.js', (route) =>
    route.request().method() === 'HEAD' ? route.fulfill({ status: 404 }) : route.fallback(),
  )
}

/** How often the page was loaded. */
function countLoads(page: Page): () => number {
  let loads = 0
  page.on('load', () => loads++)
  return () => loads
}

test.describe('code that does not load costs its part, and not the page', () => {
  test('the heart', async ({ page, signInAs, addResource, expectConsoleErrors }) => {
    expectConsoleErrors()
    const { id } = await addResource({ title: 'Without a heart' })
    await signInAs('member')
    const loads = countLoads(page)
    await page.route('**/assets/member-controls-*.js', (route) => route.abort())
    const asked = page.waitForEvent('requestfailed')
    await page.goto(`/resource/${id}`)
    await asked
    await expect(page.getByRole('heading', { name: 'Without a heart' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Back' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Save/ })).toHaveCount(0)
    expect(loads()).toBe(1)
  })

  test("an admin's controls", async ({ page, signInAs, addResource, expectConsoleErrors }) => {
    expectConsoleErrors()
    const title = 'Without its controls'
    const { id } = await addResource({ title })
    await signInAs('admin')
    await page.route('**/assets/admin-controls-*.js', (route) => route.abort())
    const asked = page.waitForEvent('requestfailed')
    await page.goto(`/resource/${id}`)
    await asked
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await expect(page.getByRole('button', { name: `Save ${title}` })).toBeVisible()
    await expect(page.getByRole('link', { name: /Edit/ })).toHaveCount(0)
  })

  test('the account corner', async ({ page, signInAs, expectConsoleErrors }) => {
    expectConsoleErrors()
    await signInAs('member')
    await page.route('**/assets/member-corner-*.js', (route) => route.abort())
    await page.goto('/about')
    const way = page.getByRole('banner').getByRole('link', { name: 'Your profile' })
    await expect(way).toHaveAttribute('href', '/profile')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })

  test('the player: the browser plays the episode', async ({ page, addResource, expectConsoleErrors }) => {
    expectConsoleErrors()
    const audioUrl = '/storage/v1/object/public/audio/none.mp3'
    const { id } = await addResource({ title: 'Heard all the same', category: 'podcast', audioUrl })
    await page.route('**/assets/podcast-player-*.js', (route) => route.abort())
    await page.goto(`/resource/${id}`)
    await expect(page.getByRole('heading', { name: 'Heard all the same' })).toBeVisible()
    await expect(page.locator('audio[controls]')).toHaveAttribute('src', audioUrl)
  })
})

test.describe('a tab that was open before a new release', () => {
  test('loads the page again, once, and keeps what was typed', async ({ page, expectConsoleErrors }) => {
    expectConsoleErrors()
    const loads = countLoads(page)
    const typed = Promise.withResolvers<void>()
    await replaceRelease(page, 'auth-session', typed.promise)
    const address = page.getByLabel('E-mail')
    await page.goto('/login')
    await address.fill('somebody@example.org')
    await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain('somebody@')
    typed.resolve()
    await expect.poll(loads).toBe(2)
    await expect(address).toHaveValue('somebody@example.org')

    // The code is gone still: nothing goes round in circles, and the page does without it.
    await page.waitForTimeout(1_000)
    expect(loads()).toBe(2)
    await expect(address).toHaveValue('somebody@example.org')
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled()
  })
})
