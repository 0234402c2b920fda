import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/site.ts'

test.use({ serverOptions: { env: { EARLY_ACCESS: 'off' } } })

/** Answers as a server does that has another release by now: code that the page has not asked for yet is gone. */
async function replaceRelease(page: Page): Promise<void> {
  const here = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  const old = new Set(here)
  await page.route('**/assets/*.js', (route, request) =>
    old.has(request.url()) && request.method() !== 'HEAD' ? route.fallback() : route.fulfill({ status: 404 }),
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
    await page.goto('/login')
    const byCode = page.getByRole('button', { name: 'E-mail me a code' })
    await expect(byCode).toBeEnabled()
    await page.getByLabel('E-mail').fill('somebody@example.org')
    await replaceRelease(page)
    await byCode.click()
    await expect.poll(loads).toBe(2)
    await expect(page.getByLabel('E-mail')).toHaveValue('somebody@example.org')

    // It is gone still: nothing goes round in circles.
    await byCode.click()
    await expect(page.getByRole('heading', { name: 'Something went wrong on our side' })).toBeVisible()
    expect(loads()).toBe(2)
  })
})
