import { expect, test } from '#tests/support/site.ts'
import { cards, count, filter, open, search } from './listing-screen.ts'

test.describe('the states', () => {
  test('Coming Soon where a category holds nothing public', async ({ page }) => {
    await open(page, '/resources/webinar')
    await expect(page.getByRole('heading', { level: 1, name: 'Webinars' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Coming Soon' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Login Required' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Log In', exact: true })).toHaveAttribute('href', '/login')
    await expect(search(page)).toHaveCount(0)
  })

  test('an unknown category is an unknown page', async ({ page, expectConsoleErrors }) => {
    expectConsoleErrors()
    const response = await page.goto('/resources/recipes')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('link', { name: 'Browse Resources' })).toBeVisible()
  })

  test('unknown keys and values change nothing', async ({ page }) => {
    const response = await page.goto('/resources?grade=99&gender=cat&page=-1&size=7&view=3d&utm_source=x')
    expect(response?.status()).toBe(200)
    await expect(cards(page)).toHaveCount(8)
    await expect(filter(page)).toHaveAccessibleName('Filter')
  })

  test('an error says so, with a Retry that loads the page again', async ({ page, expectConsoleErrors }) => {
    expectConsoleErrors()
    await open(page, '/resources')
    await page.route('**/resources/reading.data*', (route) => route.fulfill({ status: 503, body: 'away' }))
    await page.getByRole('banner').getByRole('link', { name: 'Reading' }).click()
    await expect(page.getByRole('alert')).toContainText('Failed to load resources. Please try again later.')
    await expect(cards(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(cards(page).first()).toBeVisible()
    await expect(page).toHaveURL(/\/resources\/reading\??$/)
  })

  test('the list stays, marked as busy, while another one is on its way', async ({ page }) => {
    await open(page, '/resources')
    await page.route('**/resources.data*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 800))
      await route.continue()
    })
    await search(page).fill('sleep')
    const results = page.getByRole('region', { name: 'Results' })
    await expect(results).toHaveAttribute('aria-busy', 'true')
    await expect(cards(page).first()).toBeVisible()
    await expect(results).toHaveAttribute('aria-busy', 'false')
    await expect(count(page)).toHaveText(/found$/)
  })
})

test.describe('for search engines', () => {
  test('has a title, a description, one canonical address, neighbours and structured data', async ({
    page,
  }) => {
    await page.goto('/resources?page=2&utm_source=mail')
    await expect(page).toHaveTitle('All Resources, page 2 · Walking Together')
    const href = (rel: string) => page.locator(`link[rel=${rel}]`).getAttribute('href')
    expect(await href('canonical')).toMatch(/\/resources\?page=2$/)
    expect(await href('prev')).toMatch(/\/resources$/)
    expect(await href('next')).toMatch(/\/resources\?page=3$/)
    const data = await page.locator('script[type="application/ld+json"]').allTextContents()
    expect(data.map((text) => JSON.parse(text)['@type'])).toEqual(
      expect.arrayContaining(['BreadcrumbList', 'ItemList']),
    )
    await page.goto('/resources/reading?q=sleep&view=list')
    expect(await href('canonical')).toMatch(/\/resources\/reading$/)
  })
})

for (const theme of ['light', 'dark'] as const) {
  test.describe(`axe finds nothing in the ${theme} theme`, () => {
    const screens = [
      '/resources',
      '/resources?view=list',
      '/resources?q=zzz&grade=8',
      '/resources/podcast',
      '/resources/webinar',
    ]
    for (const address of screens) {
      test(address, async ({ page, axeFindings }) => {
        await open(page, address)
        expect(await axeFindings(page, theme)).toEqual([])
      })
    }
    test('in the open Filter popup', async ({ page, axeFindings }) => {
      await open(page, '/resources?grade=8')
      await filter(page).click()
      expect(await axeFindings(page, theme)).toEqual([])
    })
  })
}
