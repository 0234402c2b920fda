// `npm test`: installs what is missing, then every check there is. The last line sums up all runners.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureBrowser } from './setup/browser.mjs'
import { ensureBuilt } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { exitCodeOf, root } from './setup/run.mjs'

const reports = { vitest: 'test-results/vitest.json', playwright: 'test-results/report.json' }
const totals = { passed: 0, failed: 0 }

/** One of our own commands counts as one check. */
async function check(command, args) {
  const code = await exitCodeOf({ command, args })
  totals[code === 0 ? 'passed' : 'failed']++
  if (code !== 0) console.error(`\n✗ ${command} ${args.join(' ')} failed\n`)
}

/** Runs a test runner and adds what its report counts; a runner that leaves no report has failed. */
async function suite({ command, args, report, count }) {
  await rm(join(root, report), { force: true })
  const code = await exitCodeOf({ command, args })
  const counted = await readFile(join(root, report), 'utf8').then(
    (text) => count(JSON.parse(text)),
    () => ({ passed: 0, failed: 1 }),
  )
  totals.passed += counted.passed
  totals.failed += counted.failed
  if (code !== 0 && counted.failed === 0) totals.failed++
}

await ensureInstalled({ withDevTools: true })
await check('node', ['tools/validate.mjs', '--without-tests'])
await ensureBuilt()
await suite({
  command: 'vitest',
  args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${reports.vitest}`],
  report: reports.vitest,
  count: (json) => ({
    passed: json.numPassedTests,
    failed: json.numFailedTests + json.numFailedTestSuites * (json.numFailedTests === 0),
  }),
})
if (await ensureBrowser()) {
  await suite({
    command: 'playwright',
    args: ['test'],
    report: reports.playwright,
    count: ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected }),
  })
} else {
  totals.failed++
}
console.log(`\n${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1)
