// `npm run storage -- check [--repair [--force]]`: finds, and mends, where the database and the files disagree.
// `npm run storage -- undo`: puts back what was mended in the last 30 days.
import { pino } from 'pino'
import { readConfig } from '#server/config/config.ts'
import { openOwnDatabase } from '#server/database/open.ts'
import type { Database } from '#server/database/port.ts'
import { openFiles } from '#server/files/open.ts'
import type { Files } from '#server/files/port.ts'
import { type Disagreements, findDisagreements } from '#server/storage/check/find-disagreements.ts'
import { agreeOnPlace } from '#server/storage/check/installation.ts'
import { putBack, QUARANTINE_DAYS, quarantine } from '#server/storage/check/quarantine.ts'

const HOUR_MS = 3_600_000

const USAGE = `Usage: npm run storage -- check             compare the database with the files
       npm run storage -- check --repair    and set aside what does not fit (--force: even if it is very much)
       npm run storage -- undo              put back what was set aside in the last ${QUARANTINE_DAYS} days`

interface Place {
  db: Database
  files: Files
  /** No other process can be in the middle of an upload. */
  isAlone: boolean
}

const [command, ...flags] = process.argv.slice(2)
const mend = flags.includes('--repair')
const force = flags.includes('--force')
const isKnown = flags.every((flag) => flag === '--repair' || (flag === '--force' && mend))
if (command === 'check' && isKnown) await runWith(check)
else if (command === 'undo' && flags.length === 0) await runWith(undo)
else {
  console.error(USAGE)
  process.exitCode = 2
}

async function runWith(work: (place: Place) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await inPlace(work)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

async function inPlace(work: (place: Place) => Promise<number>): Promise<number> {
  const config = readConfig(process.env)
  if (config.hosted)
    throw new Error('The files of a hosted project are kept there; there is nothing to check here.')
  const { db, close, isAlone } = await openOwnDatabase(config, pino({ level: 'warn' }))
  try {
    const files = await openFiles(config.storageUrl)
    await agreeOnPlace(db, files, { force })
    return await work({ db, files, isAlone })
  } finally {
    await close()
  }
}

/** Exit code 0 when all is well, or has been mended. */
async function check({ db, files, isAlone }: Place): Promise<number> {
  const settledBefore = new Date(Date.now() - (isAlone ? 0 : HOUR_MS))
  const found = await findDisagreements({ db, files, settledBefore })
  report(found)
  const isWell = [found.lost, found.forgotten, found.halfWritten].every((list) => list.length === 0)
  if (isWell || !mend) return isWell ? 0 : 1
  await quarantine(db, found, { force })
  console.log(
    `Mended: all of it was set aside. For ${QUARANTINE_DAYS} days "npm run storage -- undo" puts it back.`,
  )
  return 0
}

async function undo({ db, files }: Place): Promise<number> {
  const returned = await putBack(db, files)
  console.log(`Put back: ${returned.rows} rows, ${returned.files} files`)
  return 0
}

function report({ lost, forgotten, halfWritten }: Disagreements): void {
  list(
    'Rows whose bytes are lost',
    lost.map(({ label, version }) => `${label} (${version ?? 'no version'})`),
  )
  list(
    'Bytes that no row names',
    forgotten.map(({ key }) => key),
  )
  list(
    'Half-written files',
    halfWritten.map(({ key }) => key),
  )
}

function list(title: string, lines: string[]): void {
  console.log(`${title}: ${lines.length}`)
  for (const line of lines) console.log(`  ${line}`)
}
