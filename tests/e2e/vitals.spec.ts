import { expect, type Page, test } from '#tests/support/site.ts'

const records = (page: Page) =>
  page.evaluate(() => JSON.parse(window.sessionStorage.getItem('web-vitals') ?? '[]'))
const metrics = async (page: Page) => (await records(page)).map(({ metric }: { metric: string }) => metric)

test('a visit leaves its web vitals in the session, with ratings', async ({ page, baseURL }) => {
  await page.goto('/about')
  await expect.poll(() => metrics(page)).toEqual(expect.arrayContaining(['TTFB', 'FCP', 'LCP', 'CLS']))
  await page.getByRole('heading', { level: 1 }).click()
  await expect.poll(() => metrics(page)).toContain('FID')
  for (const record of await records(page)) {
    expect(record).toEqual({
      metric: expect.any(String),
      value: expect.any(Number),
      status: expect.stringMatching(/^(good|needs-improvement|poor)$/),
      timestamp: expect.any(Number),
      url: `${baseURL}/about`,
    })
  }
})

test('only the last ten are kept', async ({ page }) => {
  for (const path of ['/about', '/privacy', '/terms', '/login']) {
    await page.goto(path)
    await expect.poll(async () => (await records(page)).at(-1)?.url).toContain(path)
    await expect.poll(() => metrics(page)).toContain('LCP')
  }
  expect((await records(page)).length).toBe(10)
})

test('nothing moves while pages load and scroll', async ({ page }) => {
  for (const path of ['/', '/about', '/privacy']) {
    await page.goto(path)
    await expect.poll(() => metrics(page)).toContain('CLS')
    await page.mouse.wheel(0, 600)
    await expect(page.getByRole('banner')).toHaveAttribute('data-scrolled')
    const shift = (await records(page)).filter(({ metric }: { metric: string }) => metric === 'CLS').at(-1)
    expect(shift?.value, path).toBeLessThan(0.01)
  }
})

test('scripts are fetched after the first paint, and bring the page to life', async ({ page }) => {
  await page.goto('/resources')
  const [painted = Number.NaN, fetched] = await page.evaluate(() => {
    const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
    return [
      performance.getEntriesByName('first-paint')[0]?.startTime,
      Math.min(...scripts.map(({ startTime }) => startTime)),
    ]
  })
  expect(fetched).toBeGreaterThan(painted)
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(
    page
      .getByRole('dialog')
      .or(page.getByRole('combobox', { name: 'Grade' }))
      .first(),
  ).toBeVisible()
})
