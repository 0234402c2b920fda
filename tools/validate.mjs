// `npm run validate`: types, lint, imports, unused code, unit tests. Fast, and all findings at once.
import { ensureInstalled } from './setup/prepare.mjs'
import { exitCodeOf } from './setup/run.mjs'

await ensureInstalled({ withDevTools: true })

const checks = [
  ['react-router', 'typegen'],
  ['tsc', '-p', '.'],
  ['biome', 'check', '--error-on-warnings'],
  ['depcruise', '--config', 'tools/imports.config.mjs', 'app', 'bench', 'domain', 'server', 'tests'],
  ['knip'],
  ['node', 'tools/shape.mjs'],
]
if (!process.argv.includes('--without-tests'))
  checks.push(['vitest', 'run', 'bench', 'domain', 'app', 'server'])

const failed = []
for (const [command, ...args] of checks) {
  const started = Date.now()
  const code = await exitCodeOf({ command, args })
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✓' : '✗'} ${command} ${args[0] ?? ''} (${seconds} s)`)
  if (code !== 0) failed.push(command)
}
if (failed.length > 0) {
  console.error(`\nTo be mended: ${failed.join(', ')}`)
  process.exit(1)
}
