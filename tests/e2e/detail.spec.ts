import { encodeArticle } from '#domain/article/encoding.ts'
import { expect, settled, test } from '#tests/support/site.ts'

/** One of the starter library's. */
const picture = '/storage/v1/object/public/images/resource-images/anxiety-what-helps-what-feeds-it.webp'
const privateMessage = 'This resource is private and requires authentication to view.'

test.describe('a reading', () => {
  test('shows title, long date, duration, description, picture and body', async ({ page, addResource }) => {
    const { id } = await addResource({
      title: 'A reading to open',
      description: 'What it is about.',
      date: '2026-11-04',
      duration: 270,
      grade: '6-8',
      location: 'California',
      image_url: picture,
      image_alt: 'A lamp',
      article_content: encodeArticle('<h1>Inside</h1><p>The body of it.</p>'),
    })
    await page.goto(`/resource/${id}`)
    const article = page.getByRole('article')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(['A reading to open'])
    for (const words of [
      'Reading',
      'What it is about.',
      'November 4, 2026',
      '4 min 30 sec',
      '6-8',
      'California',
    ]) {
      await expect(article.getByText(words, { exact: true })).toBeVisible()
    }
    await expect(article.getByRole('img', { name: 'A lamp' })).toBeVisible()
    await expect(article.getByText('The body of it.')).toBeVisible()
  })

  test('without a body says so', async ({ page, addResource }) => {
    const { id } = await addResource({ article_content: null })
    await page.goto(`/resource/${id}`)
    await expect(page.getByText('This article does not have any content yet.')).toBeVisible()
  })

  test('with a body that cannot be decoded says so', async ({ page, addResource }) => {
    const { id } = await addResource({ article_content: '%%% not base64 %%%' })
    const response = await page.goto(`/resource/${id}`)
    expect(response?.status()).toBe(200)
    await expect(page.getByText('Error decoding article content')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })

  test('cannot touch the page with its style blocks, and runs nothing', async ({ page, addResource }) => {
    const html = `<style>h1, header, body { display: none !important; color: red !important }</style>
      <p style="position: fixed; inset: 0; z-index: 9999">Covering</p>
      <img src=x onerror="document.title = 'broken into'"><script>document.title = 'broken into'</script>`
    const { id } = await addResource({ title: 'Well kept', article_content: encodeArticle(html) })
    await page.goto(`/resource/${id}`)
    await expect(page.getByText('Covering')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Well kept' })).toBeVisible()
    await expect(page.getByRole('banner')).toBeVisible()
    await expect(page).toHaveTitle('Well kept · Walking Together')
    await page.getByRole('link', { name: 'Back', exact: true }).click()
    await expect(page).toHaveURL(/\/resources\/reading$/)
  })

  test('ends with three others of its kind', async ({ page }) => {
    await page.goto('/resources/reading')
    await page.getByRole('region', { name: 'Results' }).getByRole('article').first().getByRole('link').click()
    const more = page.getByRole('navigation', { name: 'More like this' })
    await expect(more.getByRole('link')).toHaveCount(3)
    const title = await more.getByRole('link').first().textContent()
    await more.getByRole('link').first().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title ?? '')
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
  })

  test('never brings the sanitiser to a visitor', async ({ page }) => {
    const scripts: Promise<string>[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(response.text())
    })
    await page.goto('/resources/reading')
    await settled(page)
    await page.getByRole('region', { name: 'Results' }).getByRole('article').first().getByRole('link').click()
    await expect(page.getByRole('navigation', { name: 'More like this' })).toBeVisible()
    expect((await Promise.all(scripts)).filter((code) => /allowComments|PostgrestError/.test(code))).toEqual(
      [],
    )
  })
})

test('a podcast shows title, long date, duration, description and the full player', async ({ page }) => {
  await page.goto('/resources/podcast')
  const link = page.getByRole('region', { name: 'Results' }).getByRole('article').first().getByRole('link')
  const title = await link.textContent()
  await link.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title ?? '')
  await expect(page.getByText(/^\w+ \d+, 2026$/)).toBeVisible()
  await expect(page.getByRole('article').getByText(/^\d+ min( \d+ sec)?$/)).toBeVisible()
  await expect(page.getByRole('group', { name: `Podcast player: ${title}` })).toBeVisible()
})

test.describe('another category', () => {
  test('shows title, description, date, duration and its link', async ({ page, addResource }) => {
    const { id } = await addResource({
      category: 'webinar',
      title: 'An evening on screens',
      description: 'Live, with questions.',
      date: '2026-12-01',
      duration: 3600,
      link: 'https://example.org/evening',
    })
    await page.goto(`/resource/${id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('An evening on screens')
    for (const words of ['Webinar', 'Live, with questions.', 'December 1, 2026', '60 min']) {
      await expect(page.getByRole('article').getByText(words, { exact: true })).toBeVisible()
    }
    await expect(page.getByRole('link', { name: 'Open link' })).toHaveAttribute(
      'href',
      'https://example.org/evening',
    )
  })

  test('has no link that could run something', async ({ page, addResource }) => {
    const { id } = await addResource({ category: 'session', link: 'javascript:alert(1)' })
    await page.goto(`/resource/${id}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open link' })).toHaveCount(0)
  })
})

test.describe('Back', () => {
  test('leads to the listing as it was left', async ({ page }) => {
    await page.goto('/resources/reading?q=t&view=list')
    await page.getByRole('region', { name: 'Results' }).getByRole('article').first().getByRole('link').click()
    await page.getByRole('link', { name: 'Back', exact: true }).click()
    await expect(page).toHaveURL(/\/resources\/reading\?q=t&view=list$/)
  })

  test('leads to the category when there is no way back inside the site', async ({ page, addResource }) => {
    const { id } = await addResource()
    await page.goto(`/resource/${id}`)
    await page.getByRole('link', { name: 'Back', exact: true }).click()
    await expect(page).toHaveURL(/\/resources\/reading$/)
  })
})

test.describe('for a visitor', () => {
  const unknown = '3f0c6b0e-7a55-4d0a-9d6f-0d8f1a2b3c4d'
  const addresses = [unknown, 'not-a-uuid', '..%2f..', '%00', "1'%20or%201=1", `${unknown}x`]
  for (const address of addresses) {
    test(`/resource/${address} is the same as a private one`, async ({ page, expectConsoleErrors }) => {
      expectConsoleErrors()
      const response = await page.goto(`/resource/${address}`)
      expect(response?.status()).toBe(404)
      await expect(page.getByText(privateMessage)).toBeVisible()
    })
  }

  test('a private resource is not revealed', async ({ page, addResource, expectConsoleErrors }) => {
    expectConsoleErrors()
    const { id } = await addResource({ title: 'Kept among members', public: false })
    const response = await page.goto(`/resource/${id}`)
    expect(response?.status()).toBe(404)
    await expect(page.getByText(privateMessage)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Log In', exact: true })).toHaveAttribute('href', '/login')
    await expect(page.getByRole('button', { name: 'Go Back' })).toBeVisible()
    expect(await page.content()).not.toContain('Kept among members')
    const data = await page.request.get(`/resource/${id}.data`)
    expect(await data.text()).not.toContain('Kept among members')
  })
})

test('a failure says so, with a way back', async ({ page, expectConsoleErrors }) => {
  expectConsoleErrors()
  await page.goto('/resources/reading')
  await page.route('**/resource/*.data*', (route) => route.fulfill({ status: 503, body: 'away' }))
  await page.getByRole('region', { name: 'Results' }).getByRole('article').first().getByRole('link').click()
  await expect(page.getByRole('alert')).toContainText('Failed to load resource.')
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page).toHaveURL(/\/resources\/reading$/)
  await expect(page.getByRole('region', { name: 'Results' })).toBeVisible()
})

test('the head describes the article for search engines and for sharing', async ({ page, addResource }) => {
  const { id } = await addResource({
    title: 'Told </script><script>alert(1)</script> twice',
    description: 'For the "head".',
    image_url: picture,
    image_alt: 'A lamp',
  })
  await page.goto(`/resource/${id}`)
  const meta = (name: string) =>
    page.locator(`meta[property="${name}"], meta[name="${name}"]`).getAttribute('content')
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toMatch(
    new RegExp(`/resource/${id}$`),
  )
  expect(await meta('description')).toBe('For the "head".')
  expect(await meta('og:type')).toBe('article')
  expect(await meta('og:image')).toMatch(new RegExp(`^http.*${picture}$`))
  const data = await page.locator('script[type="application/ld+json"]').allTextContents()
  const types = data.map((text) => JSON.parse(text)['@type'])
  expect(types).toEqual(expect.arrayContaining(['Article', 'BreadcrumbList']))
})

test('the head of a podcast names its recording', async ({ page }) => {
  await page.goto('/resources/podcast')
  await page.getByRole('region', { name: 'Results' }).getByRole('article').first().getByRole('link').click()
  await expect(page.locator('meta[property="og:audio"]')).toHaveAttribute('content', /^http.*\.mp3$/)
  const data = await page.locator('script[type="application/ld+json"]').allTextContents()
  expect(data.map((text) => JSON.parse(text)['@type'])).toContain('PodcastEpisode')
})

for (const theme of ['light', 'dark'] as const) {
  test.describe(`axe finds nothing in the ${theme} theme`, () => {
    for (const category of ['reading', 'podcast']) {
      test(`on a ${category}`, async ({ page, axeFindings }) => {
        await page.goto(`/resources/${category}`)
        await page
          .getByRole('region', { name: 'Results' })
          .getByRole('article')
          .first()
          .getByRole('link')
          .click()
        await expect(page.getByRole('link', { name: 'Back', exact: true })).toBeVisible()
        expect(await axeFindings(page, theme)).toEqual([])
      })
    }
    test('on an announcement', async ({ page, addResource, axeFindings }) => {
      const { id } = await addResource({ category: 'community', link: 'https://example.org' })
      await page.goto(`/resource/${id}`)
      expect(await axeFindings(page, theme)).toEqual([])
    })
    test('on a private one', async ({ page, axeFindings, expectConsoleErrors }) => {
      expectConsoleErrors()
      await page.goto('/resource/none')
      expect(await axeFindings(page, theme)).toEqual([])
    })
  })
}

for (const width of [320, 360, 768, 1280]) {
  test(`a reading with wide content fits into ${width} px`, async ({ page, addResource }) => {
    const wide = `<table><tr>${'<td>A wide cell</td>'.repeat(30)}</tr></table><p>${'long'.repeat(100)}</p><pre>${'x '.repeat(200)}</pre>`
    const { id } = await addResource({
      title: 'Donaudampfschifffahrtsgesellschaftskapitän',
      article_content: encodeArticle(wide),
    })
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`/resource/${id}`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  })
}
