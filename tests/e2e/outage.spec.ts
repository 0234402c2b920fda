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
