import { startReleases } from '#tests/support/releases.ts'
import { expect, type Page, test } from '#tests/support/site.ts'

test.use({ serviceWorkers: 'allow' })

/** The addresses on a shelf of the service worker's. */
const shelf = (page: Page, name: string): Promise<string[]> =>
  page.evaluate(async (shelfName) => {
    if (!(await caches.has(shelfName))) return []
    const kept = await (await caches.open(shelfName)).keys()
    return kept.map(({ url }) => new URL(url).pathname)
  }, name)
const shelfNames = (page: Page): Promise<string[]> => page.evaluate(() => caches.keys())
const isControlled = (page: Page) => page.evaluate(() => navigator.serviceWorker.controller !== null)

/** The page that is open has been read for a moment, and is kept. */
async function beKept(page: Page) {
  const { pathname } = new URL(page.url())
  await expect.poll(() => shelf(page, 'pages'), { timeout: 20_000 }).toContain(pathname)
  await expect.poll(() => isControlled(page)).toBe(true)
}

const articles = (page: Page) => page.getByRole('region', { name: 'Results' }).getByRole('article')
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test.describe('a visitor without a network', () => {
  test('reads again what was read before, with its picture, after a reload and by the link', async ({
    page,
    context,
  }) => {
    await page.goto('/resources/reading')
    await beKept(page)
    await articles(page).first().getByRole('link').click()
    await expect(page).toHaveURL(/\/resource\//)
    const title = (await heading(page).textContent()) ?? ''
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
    await articles(page).nth(1).getByRole('link').click()
    await expect(page).toHaveURL(/\/resource\//)
    const title = (await heading(page).textContent()) ?? ''
    await beKept(page)

    await context.setOffline(true)
    await page.goto('/terms')
    await expect(heading(page)).toHaveText('You are offline')
    await expect(page.getByRole('link', { name: title })).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('link', { name: title }).click()
    await expect(heading(page)).toHaveText(title)
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
  for (const name of await shelfNames(page)) {
    expect((await shelf(page, name)).filter((address) => /audio|\.mp3/.test(address))).toEqual([])
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
  await expect.poll(async () => (await shelf(page, 'pages')).length).toBe(30)
  expect(await shelf(page, 'pages')).toEqual(expect.arrayContaining(['/resources', '/resource/old-39']))
  expect(await shelf(page, 'pages')).not.toContain('/about')
})

test.describe('a member', () => {
  test('leaves nothing on the device that they did not ask for', async ({ page, signInAs, addResource }) => {
    const { id } = await addResource({ title: 'Read by a member' })
    await signInAs('member')
    await page.goto(`/resource/${id}`)
    await expect(page.getByRole('button', { name: 'Save Read by a member' })).toBeVisible()
    await expect.poll(() => isControlled(page), { timeout: 20_000 }).toBe(true)
    expect(await shelf(page, 'pages')).toEqual([])
    expect((await shelfNames(page)).filter((name) => name.startsWith('member-'))).toEqual([])
  })

  test('keeps saved resources on the device, reads private ones offline, and takes all away by logging out', async ({
    page,
    context,
    signInAs,
    addResource,
    axeFindings,
    expectConsoleErrors,
  }) => {
    test.setTimeout(90_000)
    expectConsoleErrors()
    const content = Buffer.from('<p>Only for members, also on the train.</p>').toString('base64')
    const hidden = await addResource({ title: 'Kept and private', public: false, article_content: content })
    const open = await addResource({ title: 'Kept and public', article_content: content })
    const other = await addResource({ title: 'Not kept', article_content: content })
    const { id: member } = await signInAs('member', { saved: [hidden.id, open.id] })
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Keep on this device' }).click()
    await expect(page.getByText('2 resources are kept on this device')).toBeVisible({ timeout: 20_000 })
    expect(await axeFindings(page)).toEqual([])

    await context.setOffline(true)
    await page.goto('/profile')
    await expect(page.getByRole('link', { name: 'Kept and private' })).toBeVisible()
    await page.getByRole('link', { name: 'Kept and private' }).click()
    await expect(page.locator('.article-host')).toContainText('also on the train')
    await page.goto(`/resource/${hidden.id}`)
    await expect(page.locator('.article-host')).toContainText('also on the train')
    await page.goto(`/resource/${open.id}`)
    await expect(page.locator('.article-host')).toContainText('also on the train')
    await page.goto(`/resource/${other.id}`)
    await expect(heading(page)).toHaveText('You are offline')

    await page.goto('/profile')
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect.poll(() => shelfNames(page)).not.toContain(`member-${member}`)
    await page.goto(`/resource/${hidden.id}`)
    await expect(heading(page)).toHaveText('You are offline')
  })

  test('whose token has expired on the way still reads what they kept', async ({
    page,
    context,
    signInAs,
    addResource,
    expectConsoleErrors,
  }) => {
    expectConsoleErrors()
    const content = Buffer.from('<p>Still here a day later.</p>').toString('base64')
    const { id } = await addResource({ title: 'Kept for long', public: false, article_content: content })
    await signInAs('member', { saved: [id] })
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Keep on this device' }).click()
    await expect(page.getByText('1 resource is kept on this device')).toBeVisible({ timeout: 20_000 })
    await context.setOffline(true)
    await page.evaluate(() => {
      const session = JSON.parse(localStorage.getItem('walking-together-session') ?? '{}')
      localStorage.setItem(
        'walking-together-session',
        JSON.stringify({ ...session, expires_at: 1, expires_in: 1 }),
      )
    })
    await page.goto('/profile')
    await page.getByRole('link', { name: 'Kept for long' }).click()
    await expect(page.locator('.article-host')).toContainText('Still here a day later.')
    await page.goto(`/resource/${id}`)
    await expect(page.locator('.article-host')).toContainText('Still here a day later.')
  })
})

test('a new release takes over when the pages of the old one are closed, and what was kept stays readable', async ({
  context,
  site,
}) => {
  const release = await startReleases(site.url)
  const first = await context.newPage()
  await first.goto(`${release.url}/resources/reading`)
  await articles(first).first().getByRole('link').click()
  await expect(first).toHaveURL(/\/resource\//)
  await beKept(first)
  const address = first.url()
  const title = (await heading(first).textContent()) ?? ''
  const [before] = (await shelfNames(first)).filter((name) => name.startsWith('shell-'))

  release.next()
  await first.evaluate(async () => (await navigator.serviceWorker.ready).update())
  const isWaiting = () =>
    first.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting))
  await expect.poll(isWaiting, { timeout: 20_000 }).toBe(true)
  expect(await shelfNames(first)).toContain(before)
  await first.close()

  const second = await context.newPage()
  await second.goto(`${release.url}/about`)
  await expect
    .poll(async () => (await shelfNames(second)).includes(before ?? ''), { timeout: 20_000 })
    .toBe(false)
  expect((await shelfNames(second)).filter((name) => name.startsWith('shell-'))).toHaveLength(1)
  await release.stop()
  await second.goto(address)
  await expect(heading(second)).toHaveText(title)
  await expect(second.locator('.article-host')).toContainText(/\w{4,}/)
})
