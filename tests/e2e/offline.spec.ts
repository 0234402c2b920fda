import { beKept, cacheNames, keptIn } from '#tests/support/offline.ts'
import { startReleases } from '#tests/support/releases.ts'
import { expect, type Page, settled, test } from '#tests/support/site.ts'

test.use({ serviceWorkers: 'allow' })

const articles = (page: Page) => page.getByRole('region', { name: 'Results' }).getByRole('article')
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Follows a card of the open list; resolves with the resource's title. The address changes before the page does. */
async function openFromList(page: Page, index: number): Promise<string> {
  const list = (await heading(page).textContent()) ?? ''
  await articles(page).nth(index).getByRole('link').click()
  await expect(page).toHaveURL(/\/resource\//)
  await expect(heading(page)).not.toHaveText(list)
  return (await heading(page).textContent()) ?? ''
}

test.describe('a visitor without a network', () => {
  test('reads again what was read before, with its picture, after a reload and by the link', async ({
    page,
    context,
  }) => {
    await page.goto('/resources/reading')
    await beKept(page)
    const title = await openFromList(page, 0)
    await beKept(page)

    await context.setOffline(true)
    await page.reload()
    await expect(heading(page)).toHaveText(title)
    await expect(page.locator('.article-host')).toContainText(/\w{4,}/)
    const picture = page.locator('main article > img')
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'Back' }).first().click()
    await expect(page).toHaveURL(/\/resources\/reading$/)
    await articles(page).filter({ hasText: title }).getByRole('link').click()
    await expect(heading(page)).toHaveText(title)
  })

  test('finds kind words in place of the rest, what can be read, and the page itself once there is a network', async ({
    page,
    context,
    axeFindings,
    expectConsoleErrors,
  }) => {
    expectConsoleErrors()
    await page.goto('/resources/reading')
    const title = await openFromList(page, 1)
    await beKept(page)

    await context.setOffline(true)
    await page.goto('/terms')
    await expect(heading(page)).toHaveText('You are offline')
    await expect(page.getByRole('link', { name: title })).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('link', { name: title }).click()
    await expect(heading(page)).toHaveText(title)
    // Until a page has come to life its links are the router's, which has the code of this page at hand.
    await settled(page)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
    await expect(heading(page)).toHaveText('You are offline')
    await context.setOffline(false)
    await expect(page).toHaveURL(/\/privacy$/)
    await expect(heading(page)).toContainText('Privacy')
  })

  test('opens the site at its start page, as an installed one does', async ({
    page,
    context,
    expectConsoleErrors,
  }) => {
    expectConsoleErrors()
    await page.goto('/about')
    await beKept(page)
    await context.setOffline(true)
    await page.goto('/')
    await expect(heading(page)).toHaveText(/Growing together/)
  })
})

test('the worker comes after the page has loaded, and fetches no recording that nobody asked for', async ({
  page,
}) => {
  const asked: string[] = []
  const askedByWorker: string[] = []
  page.context().on('request', (request) => {
    ;(request.serviceWorker() ? askedByWorker : asked).push(request.url())
  })
  await page.goto('/resources/podcast')
  await page.waitForLoadState('load')
  expect(asked.filter((url) => url.includes('service-worker'))).toEqual([])
  await beKept(page)
  await articles(page).first().getByRole('link').click()
  await beKept(page)
  for (const name of await cacheNames(page)) {
    expect((await keptIn(page, name)).filter((address) => /audio|\.mp3/.test(address))).toEqual([])
  }
  expect(askedByWorker.length).toBeGreaterThan(0)
  expect(askedByWorker.filter((url) => url.endsWith('.mp3'))).toEqual([])
})

test('keeps no more than thirty pages, the last ones', async ({ page }) => {
  await page.goto('/about')
  await beKept(page)
  await page.evaluate(async () => {
    const pages = await caches.open('pages')
    for (let n = 0; n < 40; n++) await pages.put(`/resource/old-${n}`, new Response('old'))
  })
  await page.goto('/resources')
  await beKept(page)
  await expect.poll(async () => (await keptIn(page, 'pages')).length).toBe(30)
  expect(await keptIn(page, 'pages')).toEqual(expect.arrayContaining(['/resources', '/resource/old-39']))
  expect(await keptIn(page, 'pages')).not.toContain('/about')
})

test('a new release takes over when the pages of the old one are closed, and what was kept stays readable', async ({
  context,
  site,
}) => {
  const release = await startReleases(site.url)
  const first = await context.newPage()
  await first.goto(`${release.url}/resources/reading`)
  const title = await openFromList(first, 0)
  await beKept(first)
  const address = first.url()
  const [before] = (await cacheNames(first)).filter((name) => name.startsWith('shell-'))

  release.next()
  await first.evaluate(async () => (await navigator.serviceWorker.ready).update())
  const isWaiting = () =>
    first.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting))
  await expect.poll(isWaiting, { timeout: 20_000 }).toBe(true)
  expect(await cacheNames(first)).toContain(before)
  await first.close()

  const second = await context.newPage()
  await second.goto(`${release.url}/about`)
  await expect
    .poll(async () => (await cacheNames(second)).includes(before ?? ''), { timeout: 20_000 })
    .toBe(false)
  expect((await cacheNames(second)).filter((name) => name.startsWith('shell-'))).toHaveLength(1)
  await release.stop()
  await second.goto(address)
  await expect(heading(second)).toHaveText(title)
  await expect(second.locator('.article-host')).toContainText(/\w{4,}/)
})
