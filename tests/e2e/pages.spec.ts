import { expect, test } from '#tests/support/site.ts'

test.describe('about', () => {
  test('tells mission, reasons, audience, offer, values and team, and what to do next', async ({ page }) => {
    await page.goto('/about')
    await expect(page).toHaveTitle('About us · Walking Together')
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { level: 2 })).toHaveText([
      'Why We Started',
      'Who We Serve',
      'What We Offer',
      'Our Values',
      'Meet the Team',
      'Walk a little of the way with us',
    ])
    await expect(main).toContainText('from 9 to 17')
    for (const value of ['Empathy', 'Growth', 'Connection', 'Inclusivity']) {
      await expect(main.getByRole('term').filter({ hasText: value })).toBeVisible()
    }
    await expect(main.getByRole('heading', { level: 3 })).toHaveCount(2)
    await expect(main.getByRole('link', { name: 'Create Free Account' })).toHaveAttribute('href', '/login')
    await expect(main.getByRole('link', { name: 'Explore Resources' })).toHaveAttribute('href', '/resources')
  })
})

test.describe('privacy and terms', () => {
  test('privacy: adults only, what is collected, nothing is sold', async ({ page }) => {
    await page.goto('/privacy')
    await expect(page).toHaveTitle('Privacy Policy · Walking Together')
    const main = page.getByRole('main')
    await expect(main).toContainText('The site is not for people under 18')
    await expect(main).toContainText('Personal information you give us')
    await expect(main).toContainText('Usage data')
    await expect(main).toContainText('We use cookies')
    await expect(main).toContainText('We do not sell personal information')
    await expect(main.getByRole('time')).toHaveText('November 1, 2026')
  })

  test('terms: adults only, California law, no professional advice, content licence', async ({ page }) => {
    await page.goto('/terms')
    await expect(page).toHaveTitle('Terms of Service · Walking Together')
    const main = page.getByRole('main')
    await expect(main).toContainText('at least 18 years old')
    await expect(main).toContainText('the laws of the State of California')
    await expect(main).toContainText('It is not medical, psychological, therapeutic, legal')
    await expect(main.getByRole('heading', { name: 'Content licence' })).toBeVisible()
  })

  test('the contents lead to each clause, clear of the header', async ({ page }) => {
    await page.goto('/privacy')
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: 'How long we keep it' })
      .click()
    await expect(page).toHaveURL('/privacy#how-long')
    const heading = page.getByRole('heading', { name: 'How long we keep it' })
    await expect(heading).toBeInViewport()
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeGreaterThan(56)
  })

  for (const [from, to] of [
    ['/privacy-policy', '/privacy'],
    ['/terms-of-service', '/terms'],
  ]) {
    test(`${from} has moved for good to ${to}`, async ({ request }) => {
      const answer = await request.get(from ?? '', { maxRedirects: 0 })
      expect(answer.status()).toBe(301)
      expect(answer.headers().location).toBe(to)
    })
  }
})

test.describe('a path that leads nowhere', () => {
  const popular = [
    '/resources/reading',
    '/resources/webinar',
    '/resources/podcast',
    '/resources/community',
    '/about',
  ]

  for (const path of [
    '/nowhere',
    '/about/us',
    '/resources/cooking',
    '/wp-admin.php',
    '/%F0%9F%98%80',
    '/%E0%A4%A',
  ]) {
    test(`${path} shows the 404 page with status 404`, async ({ page, expectConsoleErrors }) => {
      expectConsoleErrors()
      const answer = await page.goto(path)
      expect(answer?.status()).toBe(404)
      await expect(page).toHaveTitle('Page not found · Walking Together')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page wandered off')
      await expect(page.getByRole('banner')).toBeVisible()
    })
  }

  test('offers the ways out of the specification', async ({ page, expectConsoleErrors }) => {
    expectConsoleErrors()
    await page.goto('/nowhere')
    const main = page.getByRole('main')
    await expect(main.getByRole('link', { name: 'Go Home' })).toHaveAttribute('href', '/')
    await expect(main.getByRole('link', { name: 'Browse Resources' })).toHaveAttribute('href', '/resources')
    const links = page.getByRole('navigation', { name: 'Popular pages' }).getByRole('link')
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(popular)
  })

  test('Go Back returns to the page before', async ({ page, expectConsoleErrors }) => {
    expectConsoleErrors()
    await page.goto('/about')
    await page.goto('/nowhere')
    await page.getByRole('button', { name: 'Go Back' }).click()
    await expect(page).toHaveURL('/about')
  })

  test('asks search engines to forget it', async ({ request }) => {
    expect(await (await request.get('/nowhere')).text()).toContain('<meta name="robots" content="noindex"/>')
  })
})

test('a page that cannot be fetched says so inside the chrome, and Retry brings it', async ({
  page,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  await page.goto('/privacy')
  await page.route('**/about.data*', (route) => route.abort())
  await page.getByRole('contentinfo').getByRole('link', { name: 'About us' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("We can't reach the library right now")
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page).toHaveTitle('Something went wrong · Walking Together')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Strengthening the connection/)
})

test('axe finds nothing on any of these pages in either theme', async ({
  page,
  axeFindings,
  expectConsoleErrors,
}) => {
  // Ten findings of axe, which takes its time for each.
  test.slow()
  expectConsoleErrors()
  for (const path of ['/about', '/login', '/privacy', '/terms', '/nowhere']) {
    await page.goto(path)
    expect(await axeFindings(page, 'light'), path).toEqual([])
    expect(await axeFindings(page, 'dark'), path).toEqual([])
  }
})
