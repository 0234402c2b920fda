// `npm test`: installs what is missing, then every check there is, side by side. The last line sums up all runners.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureBrowser, ensureBuilt, ensureInstalled } from './setup/prepare.mjs'
import { exitCodeOf, root } from './setup/run.mjs'

const reports = { vitest: 'test-results/vitest.json', playwright: 'test-results/report.json' }
const totals = { passed: 0, failed: 0 }
/** Said again at the end, where they are found: the runners say much in between. */
const problems = []
/** Names of files and phases, and the milliseconds that each took. */
const files = []
const phases = []

async function timed(name, work) {
  const started = performance.now()
  const result = await work()
  phases.push([name, performance.now() - started])
  return result
}

/** One of our own commands counts as one check. */
async function check(command, args) {
  const code = await exitCodeOf({ command, args })
  totals[code === 0 ? 'passed' : 'failed']++
  if (code !== 0) problems.push(`${command} ${args.join(' ')} ended with ${code}`)
}

/** Runs a test runner and adds what its report counts; a runner that leaves no report has failed. */
async function suite({ command, args, report, count }) {
  await rm(join(root, report), { force: true })
  const code = await exitCodeOf({ command, args })
  const counted = await readFile(join(root, report), 'utf8').then(
    (text) => count(JSON.parse(text)),
    () => ({ passed: 0, problems: [`${command} left no report`], files: [] }),
  )
  if (code !== 0 && counted.problems.length === 0) counted.problems.push(`${command} ended with ${code}`)
  totals.passed += counted.passed
  totals.failed += counted.problems.length
  problems.push(...counted.problems)
  files.push(...counted.files)
}

/** Playwright's report is a tree of files, groups and specs. */
const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)]

const failedSpecs = (suites) =>
  suites
    .flatMap(specsOf)
    .filter(({ ok }) => !ok)
    .map(({ file, line, title }) => `${file}:${line} > ${title}`)

/** How long the tests of each file took together, their retries included. */
const durationsOf = (suites) =>
  suites.map((suite) => [
    `tests/e2e/${suite.file}`,
    specsOf(suite)
      .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
      .reduce((sum, { duration }) => sum + duration, 0),
  ])

async function browse() {
  if (!(await ensureBrowser())) {
    totals.failed++
    problems.push('no browser to test with')
    return
  }
  await suite({
    command: 'playwright',
    args: ['test'],
    report: reports.playwright,
    count: ({ stats, suites, errors }) => ({
      passed: stats.expected + stats.flaky,
      problems: [...failedSpecs(suites), ...errors.map(({ message }) => message)],
      files: durationsOf(suites),
    }),
  })
}

const seconds = ([name, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`
const longestFirst = (a, b) => b[1] - a[1]

await timed('install', () => ensureInstalled({ withDevTools: true }))
await Promise.all([
  timed('checks', () => check('node', ['tools/validate.mjs', '--without-tests'])),
  timed('build', ensureBuilt),
])
// Both at once: tests of deaths and silences wait for clocks, and browsers have enough to do meanwhile.
await Promise.all([
  timed('vitest', () =>
    suite({
      command: 'vitest',
      args: ['run', '--reporter=default', '--reporter=./tests/support/problems-reporter.ts'],
      report: reports.vitest,
      count: (report) => report,
    }),
  ),
  timed('playwright', browse),
])
for (const problem of problems) console.error(`\n✗ ${problem}`)
console.log(`\nThe slowest files:\n${files.sort(longestFirst).slice(0, 10).map(seconds).join('\n')}`)
console.log(`\nThe phases:\n${phases.map(seconds).join('\n')}`)
console.log(`\n${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1)
