import { expect, type Page } from './site.ts'

/** The addresses on a shelf of the service worker's. */
export const shelf = (page: Page, name: string): Promise<string[]> =>
  page.evaluate(async (shelfName) => {
    if (!(await caches.has(shelfName))) return []
    const kept = await (await caches.open(shelfName)).keys()
    return kept.map(({ url }) => new URL(url).pathname)
  }, name)
export const shelfNames = (page: Page): Promise<string[]> => page.evaluate(() => caches.keys())
export const isControlled = (page: Page) => page.evaluate(() => navigator.serviceWorker.controller !== null)

/** The page that is open has been read for a moment, and is kept. */
export async function beKept(page: Page) {
  const { pathname } = new URL(page.url())
  await expect.poll(() => shelf(page, 'pages'), { timeout: 20_000 }).toContain(pathname)
  await expect.poll(() => isControlled(page)).toBe(true)
}
