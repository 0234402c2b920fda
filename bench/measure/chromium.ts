import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

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
