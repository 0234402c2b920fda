import type { BrowserContext, Page, Request } from '@playwright/test'

const PATIENCE_MS = 5_000
/** What a page has asked for and not got yet. */
const underWay = new WeakMap<Page, Set<Request>>()

/** Tests press what they see at once, people do not: opening a page waits until its scripts have brought it to life. */
export function openAlive(context: BrowserContext): void {
  context.on('page', (page) => {
    watchRequests(page)
    for (const open of ['goto', 'reload'] as const) {
      const opened = page[open].bind(page) as (...args: unknown[]) => ReturnType<Page['reload']>
      page[open] = async (...args: unknown[]) => {
        const answer = await opened(...args)
        await page.waitForFunction(isAlive, undefined, { timeout: PATIENCE_MS }).catch(() => undefined)
        return answer
      }
    }
  })
}

/**
 * Waits until a page has come to rest: nothing that it asked for is under way, and its browser found time for what waits
 * for an idle moment. For claims that something never comes. Errors: it has not come to rest in ten seconds.
 */
export async function settled(page: Page): Promise<void> {
  const requests = underWay.get(page) ?? new Set()
  const deadline = Date.now() + 2 * PATIENCE_MS
  for (let quiet = 0; quiet < 2; quiet = requests.size === 0 ? quiet + 1 : 0) {
    if (Date.now() > deadline)
      throw new Error(`The page still waits for ${[...requests].map((request) => request.url()).join(', ')}`)
    await page.evaluate(
      () => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 20), { timeout: 200 })),
    )
  }
}

function watchRequests(page: Page): void {
  const requests = new Set<Request>()
  underWay.set(page, requests)
  page.on('request', (request) => requests.add(request))
  const forget = (request: Request) => requests.delete(request)
  page.on('requestfinished', forget)
  page.on('requestfailed', forget)
}

/** Runs in the page. React marks the elements that it has taken over. */
function isAlive(): boolean {
  if (document.querySelector('script[type=later]')) return false
  const marks = Object.keys(document.querySelector('main') ?? { __reactProps: 'no page of ours' })
  return marks.some((mark) => mark.startsWith('__reactProps'))
}
