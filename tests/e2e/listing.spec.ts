import { expect, test } from '#tests/support/site.ts'
import { cards, count, open, pages, search } from './listing-screen.ts'

test.describe('searching', () => {
  test('begins after a pause, keeps the focus and replaces the history entry', async ({ page }) => {
    await open(page, '/about')
    await page.getByRole('banner').getByRole('link', { name: 'Reading' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Reading Resources' })).toBeVisible()
    await search(page).pressSequentially('sleep', { delay: 40 })
    await expect(page).toHaveURL(/\/resources\/reading\?q=sleep$/)
    await expect(cards(page).filter({ hasText: 'cannot fall asleep' })).toBeVisible()
    await expect(count(page)).toHaveText(/^\d+ resources? found$/)
    await expect(search(page)).toBeFocused()
    await page.goBack()
    await expect(page).toHaveURL(/\/about$/)
  })

  test('asks once for a word that is typed in one go', async ({ page }) => {
    await open(page, '/resources')
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('.data') && asked.push(request.url()))
    await search(page).pressSequentially('friend', { delay: 30 })
    await expect(page).toHaveURL(/q=friend$/)
    expect(asked.filter((url) => url.includes('q='))).toHaveLength(1)
  })

  test('leaves the space alone that the next word needs', async ({ page }) => {
    await open(page, '/resources')
    await search(page).pressSequentially('first ')
    await expect(page).toHaveURL(/q=first$/)
    await search(page).pressSequentially('social')
    await expect(page).toHaveURL(/q=first\+social$/)
    await expect(search(page)).toHaveValue('first social')
  })

  test('goes back to page 1', async ({ page }) => {
    await open(page, '/resources?size=4&page=2')
    await search(page).fill('e')
    await expect(page).toHaveURL(/\?q=e&size=4$/)
    await expect(pages(page).getByRole('link', { name: 'Page 1' })).toHaveAttribute('aria-current', 'page')
  })

  for (const words of ['%', '_', '\\', '*', '"', "'", 'a,b(c)', '(?i)', '🧒🏽', '50% off_now*']) {
    test(`finds what ${words} literally says`, async ({ page, addResource }) => {
      const { title } = await addResource({ title: `Hostile >${words}< title` })
      await open(page, '/resources')
      await search(page).fill(`>${words}<`)
      await expect(count(page)).toHaveText('1 resource found')
      await expect(cards(page)).toContainText(title)
    })
  }

  test('finds nothing, kindly, for 10,000 characters', async ({ page }) => {
    const response = await page.goto(`/resources?q=${'x'.repeat(10_000)}`)
    expect(response?.status()).toBe(200)
    await expect(page.getByRole('heading', { name: 'No resources match' })).toBeVisible()
  })
})

test.describe('the layout', () => {
  test('changes without asking the server, survives a reload, and is kept for other listings', async ({
    page,
  }) => {
    await open(page, '/resources')
    const first = cards(page).first()
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('.data') && asked.push(request.url()))
    expect((await first.boundingBox())?.height).toBeGreaterThan(250)
    await page.getByRole('link', { name: 'List view' }).click()
    await expect(page).toHaveURL(/view=list$/)
    await expect.poll(async () => (await first.boundingBox())?.height).toBeLessThan(250)
    await expect(page.getByRole('link', { name: 'List view' })).toHaveAttribute('aria-current', 'true')
    expect(asked).toEqual([])
    await page.reload()
    expect((await first.boundingBox())?.height).toBeLessThan(250)
    await page.goto('/resources/reading')
    expect((await first.boundingBox())?.height).toBeLessThan(250)
    await page.getByRole('link', { name: 'Card view' }).click()
    await expect.poll(async () => (await first.boundingBox())?.height).toBeGreaterThan(250)
    await page.goto('/resources/reading')
    expect((await first.boundingBox())?.height).toBeGreaterThan(250)
  })

  test('comes from the address before it comes from the preference', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('view-mode', 'card'))
    await open(page, '/resources?view=list')
    expect((await cards(page).first().boundingBox())?.height).toBeLessThan(250)
  })

  test('does not believe every preference', async ({ page }) => {
    await page.addInitScript(() => {
      localStorage.setItem('view-mode', '<script>')
      localStorage.setItem('page-size', '7')
    })
    await open(page, '/resources')
    await expect(cards(page)).toHaveCount(8)
    expect((await cards(page).first().boundingBox())?.height).toBeGreaterThan(250)
    await expect(page).toHaveURL(/\/resources$/)
  })

  test('gives a featured card two columns', async ({ page, addResource }) => {
    await addResource({ title: 'Span featured', featured: true })
    await addResource({ title: 'Span plain' })
    await open(page, '/resources?q=Span')
    const featured = await cards(page).filter({ hasText: 'Span featured' }).boundingBox()
    const plain = await cards(page).filter({ hasText: 'Span plain' }).boundingBox()
    expect((featured?.width ?? 0) / (plain?.width ?? 1)).toBeGreaterThan(1.9)
    await expect(cards(page).filter({ hasText: 'Span featured' })).toContainText('Featured')
  })

  for (const width of [320, 360, 768, 1280]) {
    test(`fits into ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 })
      for (const address of [
        '/resources',
        '/resources?view=list',
        '/resources?q=zzz',
        '/resources/webinar',
      ]) {
        await page.goto(address)
        expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBeLessThanOrEqual(
          width,
        )
      }
    })
  }
})

test.describe('a card', () => {
  test('opens the resource wherever it is pressed', async ({ page }) => {
    await open(page, '/resources/reading')
    const card = cards(page).first()
    const title = await card.getByRole('heading').textContent()
    await card.click({ position: { x: 4, y: 4 } })
    await expect(page).toHaveURL(/\/resource\/[\da-f-]{36}$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title ?? '')
  })

  test('does not open the resource when a button inside is pressed', async ({ page }) => {
    await open(page, '/resources/podcast')
    const card = cards(page).first()
    await card.getByRole('button', { name: 'Play' }).click()
    await expect(card.getByRole('button', { name: 'Pause' })).toBeVisible()
    await expect(page).toHaveURL(/\/resources\/podcast$/)
  })

  test("has its page's code fetched ahead when the pointer rests on it", async ({ page }) => {
    await open(page, '/resources/reading')
    const code = page.waitForRequest(/\/assets\/detail-.*\.js$/)
    await cards(page).first().getByRole('link').hover()
    await code
    await expect(page).toHaveURL(/\/resources\/reading$/)
  })

  test('of a podcast has a banner and a player instead of a picture', async ({ page }) => {
    await open(page, '/resources/podcast')
    const card = cards(page).first()
    await expect(card.getByRole('group', { name: /^Podcast player/ })).toBeVisible()
    await expect(card.getByRole('img')).toHaveCount(0)
  })
})

test.describe('pages', () => {
  test('lead on and back, and say where we are', async ({ page }) => {
    await open(page, '/resources?size=4')
    await expect(pages(page).getByRole('link', { name: /^Page/ })).toHaveCount(5)
    await expect(pages(page).getByRole('link', { name: 'Previous page' })).toHaveCount(0)
    await pages(page).getByRole('link', { name: 'Next page' }).click()
    await expect(page).toHaveURL(/page=2&size=4$/)
    await expect(pages(page).getByRole('link', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page')
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await pages(page).getByRole('link', { name: 'Previous page' }).click()
    await expect(page).toHaveURL(/\/resources\?size=4$/)
  })

  test('come back as they were left, with their place', async ({ page }) => {
    await open(page, '/resources?page=2')
    const last = cards(page).last()
    await last.scrollIntoViewIfNeeded()
    const place = await page.evaluate(() => window.scrollY)
    await last.getByRole('link').click()
    await expect(page).toHaveURL(/\/resource\//)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    await page.goBack()
    await expect(page).toHaveURL(/page=2$/)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place)
    await expect(pages(page).getByRole('link', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page')
  })

  test('behind the last one show the last one', async ({ page }) => {
    const response = await page.goto('/resources?page=9999')
    expect(response?.status()).toBe(200)
    await expect(cards(page).first()).toBeVisible()
    await expect(pages(page).getByRole('link').last()).toHaveAttribute('aria-current', 'page')
  })

  test('have the size that was chosen, from page 1 on, here and later', async ({ page }) => {
    await open(page, '/resources?page=2')
    await page.getByLabel('Per page').selectOption('16')
    await expect(page).toHaveURL(/\/resources\?size=16$/)
    await expect(cards(page)).toHaveCount(16)
    await open(page, '/resources')
    await expect(page).toHaveURL(/\/resources\?size=16$/)
    await expect(cards(page)).toHaveCount(16)
    await expect(page.getByLabel('Per page')).toHaveValue('16')
    await page.getByLabel('Per page').selectOption('8')
    await expect(page).toHaveURL(/\/resources$/)
    await expect(cards(page)).toHaveCount(8)
  })

  test('have only the sizes there are', async ({ page }) => {
    await open(page, '/resources')
    await expect(page.getByLabel('Per page').getByRole('option')).toHaveText([
      '4',
      '8',
      '12',
      '16',
      '24',
      '48',
    ])
  })
})
