import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodeOf, root } from './run.mjs'

const debianChromium = '/usr/bin/chromium'

/** Sees to a browser for the end-to-end tests: Debian's Chromium, or Playwright's own. False (and why) when neither can be had. */
export async function ensureBrowser() {
  if (existsSync(debianChromium)) return true
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium…')
    const quiet = { env: { DEBIAN_FRONTEND: 'noninteractive' } }
    await exitCodeOf({ command: 'apt-get', args: ['-qq', 'update'], ...quiet })
    await exitCodeOf({ command: 'apt-get', args: ['-qq', '-y', 'install', 'chromium'], ...quiet })
    if (existsSync(debianChromium)) return true
  }
  const installed = await exitCodeOf({
    command: join(root, 'node_modules/.bin/playwright'),
    args: ['install', 'chromium'],
  })
  if (installed === 0) return true
  console.error(
    'The browser tests need Chromium: install the package "chromium", or let "npx playwright install chromium" reach its download.',
  )
  return false
}
