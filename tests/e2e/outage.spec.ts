import { busyAnswer } from '#server/site/busy-page.ts'
import { startPostgres } from '#tests/support/postgres-server.ts'
import { startServer } from '#tests/support/server-process.ts'
import { expect, test } from '#tests/support/site.ts'

test('a database that goes away is said kindly, and is not needed any longer than it is away', async ({
  page,
  expectConsoleErrors,
}) => {
  test.setTimeout(120_000)
  expectConsoleErrors()
  const postgres = await startPostgres()
  const server = await startServer({ env: { DATABASE_URL: postgres.url() } })
  try {
    await page.goto(`${server.url}/resources`)
    const link = page.getByRole('region', { name: 'Results' }).getByRole('article').first().getByRole('link')
    const resource = await link.getAttribute('href')
    await postgres.stop('immediate')

    const listing = await page.goto(`${server.url}/resources/reading?q=sleep`)
    expect(listing?.status()).toBe(503)
    await expect(page.getByRole('alert')).toContainText('Failed to load resources. Please try again later.')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reading Resources')
    const detail = await page.goto(`${server.url}${resource}`)
    expect(detail?.status()).toBe(503)
    await expect(page.getByRole('alert')).toContainText('Failed to load resource.')

    await page.goto(`${server.url}/resources/reading?q=sleep`)
    await postgres.start()
    await expect.poll(async () => (await page.request.get(`${server.url}/readyz`)).status()).toBe(200)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page).toHaveURL(/\/resources\/reading\?q=sleep$/)
    await expect(page.getByRole('region', { name: 'Results' }).getByRole('article').first()).toBeVisible()
  } finally {
    await server.remove()
    await postgres.remove()
  }
})

test('a page that has to wait for its turn says so kindly, and opens by itself', async ({
  page,
  site,
  expectConsoleErrors,
  axeFindings,
}) => {
  expectConsoleErrors()
  const busy = busyAnswer(new Request(site.url, { headers: { accept: 'text/html' } }), 1)
  const answer = { status: busy.status, headers: Object.fromEntries(busy.headers), body: await busy.text() }
  let isBusy = true
  await page.route('**/resources/reading?q=sleep', (route) =>
    isBusy ? route.fulfill(answer) : route.continue(),
  )
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/resources/reading?q=sleep')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('One moment, please')
  expect(await axeFindings(page, 'light')).toEqual([])
  expect(await axeFindings(page, 'dark')).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  // Its own style sheet is let in by its own policy.
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(26, 19, 16)')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Try again now' })).toBeFocused()
  isBusy = false
  await expect(heading).toHaveText('Reading Resources', { timeout: 20_000 })
  await expect(page).toHaveURL(/\/resources\/reading\?q=sleep$/)
})
