import { expect, type Page, test } from '#tests/support/site.ts'

/** Reads a document as a strict parser does, and gives the texts that match a selector. */
async function readXml(page: Page, path: string, selector: string) {
  const answer = await page.request.get(path)
  expect(answer.status()).toBe(200)
  const found = await page.evaluate(
    ([xml, wanted]) => {
      const document = new DOMParser().parseFromString(xml ?? '', 'application/xml')
      const broken = document.querySelector('parsererror')?.textContent ?? null
      return {
        broken,
        texts: [...document.querySelectorAll(wanted ?? '')].map(({ textContent }) => textContent),
      }
    },
    [await answer.text(), selector],
  )
  expect(found.broken).toBeNull()
  return { type: answer.headers()['content-type'], texts: found.texts }
}

const hostile = 'Ampersand & <b>bold</b> ]]> "quotes" \u0001 😀'
const harmless = 'Ampersand & <b>bold</b> ]]> "quotes"  😀'

test.describe('feed of readings', () => {
  test('is well-formed RSS whose items open', async ({ page, baseURL }) => {
    const { type, texts } = await readXml(page, '/feed.xml', 'item > link')
    expect(type).toBe('application/rss+xml; charset=utf-8')
    expect(texts.length).toBeGreaterThan(10)
    expect(texts[0]).toMatch(new RegExp(`^${baseURL}/resource/[0-9a-f-]{36}$`))
    expect((await page.request.get(texts[0] ?? '')).status()).toBe(200)
  })

  test('survives every character in a title, and leaves private resources out', async ({
    page,
    addResource,
  }) => {
    await addResource({ title: hostile })
    await addResource({ title: 'Only for members', public: false })
    const titles = async () => (await readXml(page, '/feed.xml', 'item > title')).texts
    await expect.poll(titles).toContain(harmless)
    expect(await titles()).not.toContain('Only for members')
  })
})

test.describe('podcast feed', () => {
  test('gives each episode its recording with address, length and type', async ({ page, baseURL }) => {
    const answer = await page.request.get('/podcast.xml')
    const xml = await answer.text()
    const enclosures = [...xml.matchAll(/<enclosure url="([^"]+)" length="(\d+)" type="([^"]+)"\/>/g)]
    expect(enclosures.length).toBeGreaterThanOrEqual(5)
    for (const [, url, length, type] of enclosures) {
      expect(url?.startsWith(`${baseURL}/storage/v1/object/public/audio/`)).toBe(true)
      expect(type).toBe('audio/mpeg')
      const head = await page.request.head(url ?? '')
      expect(head.headers()['content-length']).toBe(length)
    }
    await readXml(page, '/podcast.xml', 'item')
  })

  test('has a square cover of at least 1400 px on our own origin', async ({ page, baseURL }) => {
    await page.goto('/about')
    const size = await page.evaluate(async () => {
      const image = new Image()
      image.src = '/podcast-cover.png'
      await image.decode()
      return [image.naturalWidth, image.naturalHeight]
    })
    expect(size[0]).toBe(size[1])
    expect(size[0]).toBeGreaterThanOrEqual(1400)
    expect(await (await page.request.get('/podcast.xml')).text()).toContain(
      `<itunes:image href="${baseURL}/podcast-cover.png"/>`,
    )
  })
})

test('the sitemap lists every page, and only addresses that answer', async ({ page, baseURL }) => {
  const { type, texts } = await readXml(page, '/sitemap.xml', 'url > loc')
  expect(type).toBe('application/xml; charset=utf-8')
  for (const path of [
    '/',
    '/resources',
    '/resources/reading',
    '/resources/podcast',
    '/about',
    '/privacy',
    '/terms',
  ]) {
    expect(texts).toContain(`${baseURL}${path}`)
  }
  expect(texts.filter((text) => text?.includes('/resource/')).length).toBeGreaterThan(15)
  for (const address of texts)
    expect((await page.request.get(address ?? '')).status(), address ?? '').toBe(200)
})

test('robots.txt names the sitemap and keeps the API out', async ({ request, baseURL }) => {
  const answer = await request.get('/robots.txt')
  expect(answer.headers()['content-type']).toBe('text/plain; charset=utf-8')
  const text = await answer.text()
  expect(text).toContain(`Sitemap: ${baseURL}/sitemap.xml`)
  expect(text).toContain('Disallow: /rest/v1/')
})

test('the icons and the manifest that pages name are there', async ({ request }) => {
  const html = await (await request.get('/about')).text()
  const named = [...html.matchAll(/<link rel="(?:icon|apple-touch-icon|manifest)"[^>]*href="([^"]+)"/g)]
  const manifest = await (await request.get('/site.webmanifest')).json()
  const icons = manifest.icons.map(({ src }: { src: string }) => src)
  for (const path of [...named.map(([, href]) => href ?? ''), ...icons, '/social-card.png', '/favicon.ico']) {
    const answer = await request.get(path)
    expect(answer.status(), path).toBe(200)
    expect(answer.headers()['content-type'], path).not.toContain('text/html')
  }
})
