import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fingerprint } from './fingerprint.mjs'
import { root, run } from './run.mjs'

const marker = join(root, 'node_modules', '.installed')

/** Installs the locked dependencies unless exactly these are there; development tools only where they are needed. */
export async function ensureInstalled({ withDevTools }) {
  const wanted = await fingerprint(['package-lock.json'])
  const [installed, kind] = (await readFile(marker, 'utf8').catch(() => '')).trim().split(' ')
  if (installed === wanted && (kind === 'all' || !withDevTools)) return
  console.log('Installing dependencies…')
  const scope = withDevTools ? [] : ['--omit=dev']
  // Not `npm ci`: it wants the native packages of every platform in the lock file, and not every registry has them all.
  await run({
    command: 'npm',
    args: ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...scope],
  })
  await writeFile(marker, `${wanted} ${withDevTools ? 'all' : 'runtime'}\n`)
}
