import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodeOf, root } from './run.mjs'

/** Debian's Chromium: the one without windows first, because it takes a third less of the processor. */
const programs = JSON.parse(readFileSync(new URL('chromium.json', import.meta.url), 'utf8'))
const hasDebianChromium = () => programs.some((program) => existsSync(program))

/** Sees to a browser for the end-to-end tests: Debian's Chromium, or Playwright's own. False (and why) when neither can be had. */
export async function ensureBrowser() {
  if (hasDebianChromium()) return true
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium…')
    const quiet = { env: { DEBIAN_FRONTEND: 'noninteractive' } }
    await exitCodeOf({ command: 'apt-get', args: ['-qq', 'update'], ...quiet })
    await exitCodeOf({
      command: 'apt-get',
      args: ['-qq', '-y', 'install', 'chromium-headless-shell'],
      ...quiet,
    })
    if (hasDebianChromium()) return true
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
