import { randomUUID } from 'node:crypto'
import { picture, storePicture } from '#tests/support/media.ts'
import { expect, type Page, settled, test } from '#tests/support/site.ts'

const unique = (title: string) => `${title} ${randomUUID().slice(0, 8)}`
const searchFor = (title: string) => `/resources?q=${encodeURIComponent(title)}`

/** The addresses of the pictures that a page asks for, from now on. */
function picturesAskedBy(page: Page): URL[] {
  const asked: URL[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'image' && request.url().includes('/storage/'))
      asked.push(new URL(request.url()))
  })
  return asked
}

/** Scrolls to the end in steps, so that everything lazy comes near. */
async function readToTheEnd(page: Page): Promise<void> {
  for (let step = 0; step < 40; step++) await page.mouse.wheel(0, 400)
  await settled(page)
}

/** How much has moved on the page without anybody pressing anything. */
const layoutShift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) =>
          resolve(
            list.getEntries().reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0),
          ),
        ).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(0), 500)
      }),
  )

test.describe('a phone of 360 pixels', () => {
  test.use({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 1 })

  for (const path of ['/', '/resources', '/resources?view=list', '/resources/reading?size=24']) {
    test(`never downloads a desktop picture on ${path}, and nothing jumps`, async ({ page }) => {
      const asked = picturesAskedBy(page)
      await page.goto(path)
      await readToTheEnd(page)
      expect(asked.length).toBeGreaterThan(1)
      for (const { pathname, searchParams } of asked) {
        expect(pathname).toContain('/storage/v1/render/image/public/')
        expect(Number(searchParams.get('width'))).toBeLessThanOrEqual(320)
      }
      expect(await layoutShift(page)).toBe(0)
    })
  }

  test('shows what fits it on an article’s page', async ({ page, site, addResource }) => {
    const image_url = await storePicture(site, await picture(2400, 1350))
    const { id, title } = await addResource({ title: unique('With a large picture'), image_url })
    const asked = picturesAskedBy(page)
    await page.goto(`/resource/${id}`)
    const shown = page.getByRole('article').getByRole('presentation').first()
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await expect
      .poll(() => shown.evaluate((img) => (img as HTMLImageElement).currentSrc))
      .toContain('width=320')
    expect(asked.filter(({ pathname }) => image_url.endsWith(pathname.split('/').pop() ?? '?'))).toHaveLength(
      1,
    )
    expect(await layoutShift(page)).toBe(0)
  })
})

test('a large screen with two pixels to a point gets a large picture', async ({
  browser,
  site,
  addResource,
}) => {
  const image_url = await storePicture(site, await picture(2400, 1350))
  const { id } = await addResource({ title: unique('Sharp'), image_url })
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 2,
  })
  const page = await context.newPage()
  const asked = picturesAskedBy(page)
  await page.goto(`/resource/${id}`)
  await expect.poll(() => asked.map(({ searchParams }) => searchParams.get('width'))).toContain('1600')
  await context.close()
})

test('a picture that cannot be had in sizes is shown whole, before and after the page wakes up', async ({
  page,
  site,
  addResource,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  const image_url = await storePicture(site, await picture(640, 360))
  const { title } = await addResource({ title: unique('No sizes'), image_url })
  await page.route('**/storage/v1/render/**', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(searchFor(title))
  const shown = page.getByRole('article').locator('img')
  const isWhole = () =>
    shown.evaluate(
      (img: HTMLImageElement) => img.naturalWidth > 0 && img.currentSrc.includes('/object/public/'),
    )
  await expect.poll(isWhole).toBe(true)
  await page.goto('/about')
  await page.goBack()
  await expect.poll(isWhole).toBe(true)
})

test('a picture from elsewhere, and a drawing, are asked for as they are', async ({ page, addResource }) => {
  const drawing = '/storage/v1/object/public/images/drawing.svg'
  for (const image_url of ['https://elsewhere.example/a.png', drawing]) {
    const { title } = await addResource({ title: unique('As it is'), image_url })
    await page.route(`**${image_url.replace('https://', '')}`, (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    )
    await page.goto(searchFor(title))
    const shown = page.getByRole('article').locator('img')
    await expect(shown).toHaveAttribute('src', image_url)
    await expect(shown).not.toHaveAttribute('srcset')
  }
})
