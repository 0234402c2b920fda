// `npm run bench`: every budget of the design, measured. Options (after `--`):
//   --quick                   under a minute: fewer rounds, no Lighthouse, no PostgreSQL server
//   --only <word>             only measurements whose name holds the word
//   --compare <a> <b>         two earlier runs side by side
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { cachedPage } from './figures/cached-page.ts'
import { librarySize } from './figures/library-size.ts'
import { lighthouseScores } from './figures/lighthouse-scores.ts'
import { pageWeight } from './figures/page-weight.ts'
import { restListing } from './figures/rest-listing.ts'
import { startsAndMemory } from './figures/starts-and-memory.ts'
import { unseenPage } from './figures/unseen-page.ts'
import {
  compare,
  describeMachine,
  type Figure,
  isMet,
  type Measure,
  markdownTable,
  type Report,
  textTable,
} from './report/report.ts'

const REPORT = 'test-results/bench.json'

/** In the order of the table; those that need a machine at rest come before those that heat it up. */
const measures: Record<string, Measure> = {
  pageWeight,
  cachedPage,
  unseenPage,
  restListing,
  librarySize,
  startsAndMemory,
  lighthouseScores,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    compare: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
})

if (values.compare) {
  const [before, after] = await Promise.all(positionals.map(readReport))
  if (!before || !after) throw new Error('--compare needs two files')
  console.log(compare(before, after))
} else {
  const figures = await measureAll()
  console.log(`\n${(values.markdown ? markdownTable : textTable)(figures)}\n`)
  if (!figures.every(isMet)) process.exitCode = 1
}

async function measureAll(): Promise<Figure[]> {
  const effort = { quick: values.quick, rounds: values.quick ? 5 : 15 }
  const figures: Figure[] = []
  for (const [name, measure] of Object.entries(measures)) {
    if (!name.toLowerCase().includes(values.only.toLowerCase())) continue
    process.stderr.write(`measuring ${name}…\n`)
    figures.push(...(await measure(effort)))
  }
  const report: Report = { measuredAt: new Date().toISOString(), machine: describeMachine(), figures }
  await mkdir(dirname(REPORT), { recursive: true })
  await writeFile(REPORT, JSON.stringify(report, null, 2))
  return figures
}

async function readReport(file: string): Promise<Report> {
  return JSON.parse(await readFile(file, 'utf8')) as Report
}
