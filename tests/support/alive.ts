import type { BrowserContext, Page } from '@playwright/test'

const PATIENCE_MS = 5_000

/** Tests press what they see at once, people do not: opening a page waits until its scripts have brought it to life. */
export function openAlive(context: BrowserContext): void {
  context.on('page', (page) => {
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

/** Runs in the page. React marks the elements that it has taken over. */
function isAlive(): boolean {
  if (document.querySelector('script[type=later]')) return false
  const marks = Object.keys(document.querySelector('main') ?? { __reactProps: 'no page of ours' })
  return marks.some((mark) => mark.startsWith('__reactProps'))
}
