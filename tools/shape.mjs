// The shape of the source: how many files, how long. Tests, generated code and migrations do not count.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup/run.mjs'

/** docs/architecture.md says why: a file answers one question, and is read from top to bottom. */
const LONGEST = 400
const SHORT = 25
const SHORT_SHARE = 0.1

const listed = execFileSync('git', ['ls-files', 'app', 'bench', 'domain', 'server', 'tools'], {
  cwd: root,
  encoding: 'utf8',
})
const files = listed
  .split('\n')
  .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !/\.test\.|\.d\.ts$/.test(path))
  .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1 }))
  .sort((a, b) => a.lines - b.lines)

const short = files.filter(({ lines }) => lines < SHORT)
const long = files.filter(({ lines }) => lines > LONGEST)
const median = files[files.length >> 1].lines
console.log(
  `${files.length} source files, median ${median} lines, ${short.length} under ${SHORT}, longest ${files.at(-1).lines}`,
)
if (process.argv.includes('--list'))
  for (const { path, lines } of [...short, ...long]) console.log(`${String(lines).padStart(5)}  ${path}`)
for (const { path, lines } of long) console.error(`${path}: ${lines} lines, more than ${LONGEST}`)
const tooManyShort = short.length > files.length * SHORT_SHARE
if (tooManyShort)
  console.error(`More than ${SHORT_SHARE * 100} % of the files are under ${SHORT} lines (--list shows them)`)
if (long.length > 0 || tooManyShort) process.exitCode = 1
