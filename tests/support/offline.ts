import { expect, type Page } from './site.ts'

/** The addresses in a cache of the service worker's. */
export const keptIn = (page: Page, cacheName: string): Promise<string[]> =>
  page.evaluate(async (name) => {
    if (!(await caches.has(name))) return []
    const kept = await (await caches.open(name)).keys()
    return kept.map(({ url }) => new URL(url).pathname)
  }, cacheName)
export const cacheNames = (page: Page): Promise<string[]> => page.evaluate(() => caches.keys())
export const isControlled = (page: Page) => page.evaluate(() => navigator.serviceWorker.controller !== null)

/** The page that is open has been read for a moment, and is kept. */
export async function beKept(page: Page) {
  const { pathname } = new URL(page.url())
  await expect.poll(() => keptIn(page, 'pages'), { timeout: 20_000 }).toContain(pathname)
  await expect.poll(() => isControlled(page)).toBe(true)
}
