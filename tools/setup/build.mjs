import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fingerprint } from './fingerprint.mjs'
import { root, run } from './run.mjs'

const marker = join(root, 'build', '.sources')
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
  if ((await readFile(marker, 'utf8').catch(() => '')).trim() === wanted) return
  console.log('Building the site…')
  await run({ command: 'npm', args: ['run', '--silent', 'build'] })
  await writeFile(marker, `${wanted}\n`)
}
