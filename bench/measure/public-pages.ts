import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** The pages that are judged, as a visitor finds them in the starter library. */
export async function publicPages(
  url: string,
): Promise<Record<'home' | 'listing' | 'article' | 'podcast', string>> {
  const firstOf = async (category: string): Promise<string> => {
    const html = await (await fetch(`${url}/resources/${category}`)).text()
    const path = /\/resource\/[0-9a-f-]{36}/.exec(html)?.[0]
    if (!path) throw new Error(`the starter library has no ${category}`)
    return path
  }
  return {
    home: '/',
    listing: '/resources',
    article: await firstOf('reading'),
    podcast: await firstOf('podcast'),
  }
}

/** As the end-to-end tests choose it: Debian's where it is installed, else Playwright's own. */
export const chromiumPath = (): string =>
  process.env.CHROME_PATH ??
  (existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : chromium.executablePath())

/** For a machine without a screen; the sandbox needs an account that is not root. */
export const chromiumFlags = (): string[] => [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--headless=new',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
]
