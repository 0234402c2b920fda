import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodeOf, root, run } from './run.mjs'

const installMarker = join(root, 'node_modules', '.installed')

/** Installs the locked dependencies unless exactly these are there; development tools only where they are needed. */
export async function ensureInstalled({ withDevTools }) {
  const wanted = await fingerprint(['package-lock.json'])
  const [installed, kind] = (await readFile(installMarker, 'utf8').catch(() => '')).trim().split(' ')
  if (installed === wanted && (kind === 'all' || !withDevTools)) return
  console.log('Installing dependencies…')
  const scope = withDevTools ? [] : ['--omit=dev']
  // Not `npm ci`: it wants the native packages of every platform in the lock file, and not every registry has them all.
  await run({
    command: 'npm',
    args: ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...scope],
  })
  await writeFile(installMarker, `${wanted} ${withDevTools ? 'all' : 'runtime'}\n`)
}

const buildMarker = join(root, 'build', '.sources')
/** All that the built site is made from. */
const sources = [
  'app',
  'domain',
  'public',
  'content/site.json',
  'content/show-art.svg',
  'tools/build',
  'vite.config.ts',
  'react-router.config.ts',
  'package-lock.json',
]

/** Builds the site unless the build at hand was made from exactly these sources. */
export async function ensureBuilt() {
  const wanted = await fingerprint(sources)
  if ((await readFile(buildMarker, 'utf8').catch(() => '')).trim() === wanted) return
  console.log('Building the site…')
  await run({ command: 'npm', args: ['run', '--silent', 'build'] })
  await writeFile(buildMarker, `${wanted}\n`)
}

/** One digest of all files below the given paths (of the repository), their names included. */
async function fingerprint(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    for (const file of await filesBelow(path))
      hash.update(`${file}\0`).update(await readFile(join(root, file)))
  }
  return hash.digest('hex')
}

async function filesBelow(path) {
  const info = await stat(join(root, path)).catch(() => undefined)
  if (!info) return []
  if (info.isFile()) return [path]
  const entries = await readdir(join(root, path))
  return (await Promise.all(entries.sort().map((name) => filesBelow(join(path, name))))).flat()
}

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
