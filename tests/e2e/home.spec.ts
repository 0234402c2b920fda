import { expect, test } from '#tests/support/site.ts'

test.describe('home', () => {
  test('says what this is and leads to the library and to About', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Growing together through the journey of Modern Parenting',
    )
    await expect(page.getByRole('main')).toContainText('Walking Together Through the Parenting Journey')
    await page.getByRole('link', { name: 'Learn About Us' }).click()
    await expect(page).toHaveURL('/about')
    await page.goBack()
    await page.getByRole('main').getByRole('link', { name: 'Explore Resources' }).click()
    await expect(page).toHaveURL('/resources')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Resources')
  })

  test('has everything for search engines and sharing in its HTML', async ({ request, baseURL }) => {
    const html = await (await request.get('/')).text()
    for (const tag of [
      '<title>Growing together through the journey of Modern Parenting · Walking Together</title>',
      '<meta name="description" content="A curated library',
      '<meta name="keywords" content="parenting,',
      `<link rel="canonical" href="${baseURL}/"/>`,
      '<meta name="theme-color" content="#ea580c"/>',
      '<meta property="og:title"',
      '<meta property="og:description"',
      `<meta property="og:url" content="${baseURL}/"/>`,
      `<meta property="og:image" content="${baseURL}/social-card.png"/>`,
      '<meta name="twitter:card" content="summary_large_image"/>',
      '"@type":"Organization"',
      '"@type":"WebSite"',
      'type="application/rss+xml" title="New readings" href="/feed.xml"',
      'type="application/rss+xml" title="Podcast" href="/podcast.xml"',
    ]) {
      expect(html).toContain(tag)
    }
  })

  test('shows up to three featured resources that open', async ({ page }) => {
    await page.goto('/')
    const featured = page.getByRole('region', { name: 'From the library' })
    await expect(featured.getByRole('article')).toHaveCount(3)
    const link = featured.getByRole('link').first()
    const title = (await link.textContent()) ?? ''
    await link.click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  })

  test('every topic finds something', async ({ page }) => {
    await page.goto('/')
    const topics = page.getByRole('region', { name: 'What is it about tonight?' }).getByRole('link')
    for (const topic of await topics.all()) {
      const response = await page.request.get((await topic.getAttribute('href')) ?? '')
      expect(await response.text(), `${await topic.textContent()}`).toContain('href="/resource/')
    }
  })

  test('names help lines with their country', async ({ page }) => {
    await page.goto('/')
    const lines = page.getByRole('region', { name: 'If it cannot wait' })
    await expect(lines).toContainText('United States')
    await expect(lines.getByRole('link', { name: 'call or text 988' }).first()).toHaveAttribute(
      'href',
      'tel:988',
    )
  })

  test('says that accounts are coming soon', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Request early access' }).click()
    await expect(page).toHaveURL('/login')
  })

  test('axe finds nothing in either theme', async ({ page, axeFindings }) => {
    await page.goto('/')
    expect(await axeFindings(page, 'light')).toEqual([])
    expect(await axeFindings(page, 'dark')).toEqual([])
  })
})
