// `npm run storage -- check [--repair]`: finds, and mends, what a crash left between the database and the files.
import { pino } from 'pino'
import { readConfig } from '#server/config.ts'
import { lockDataDir } from '#server/database/data-dir-lock.ts'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open.ts'
import { openFiles } from '#server/files/open.ts'
import { type Disagreements, findDisagreements } from '#server/storage/check/find-disagreements.ts'
import { repair } from '#server/storage/check/repair.ts'

const HOUR_MS = 3_600_000

const [command, ...flags] = process.argv.slice(2)
if (command !== 'check' || flags.some((flag) => flag !== '--repair')) {
  console.error('Usage: npm run storage -- check [--repair]')
  process.exit(2)
}
try {
  process.exitCode = await check({ mend: flags.length > 0 })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** Exit code 0 when all is well, or has been mended. */
async function check({ mend }: { mend: boolean }): Promise<number> {
  const config = readConfig(process.env)
  if (config.hosted)
    throw new Error('The files of a hosted project are kept there; there is nothing to check here.')
  const isAlone = config.database.kind === 'pglite'
  const unlock = isAlone ? await lockDataDir(config.dataDir) : async () => undefined
  const log = pino({ level: 'warn' })
  const db = await openDatabase(config.database, log)
  try {
    await migrate(db, log)
    const files = await openFiles(config.storageUrl)
    // Another process may be in the middle of an upload, unless the data folder is ours alone.
    const settledBefore = new Date(Date.now() - (isAlone ? 0 : HOUR_MS))
    const found = await findDisagreements({ db, files, settledBefore })
    report(found)
    if (!mend) return isEmpty(found) ? 0 : 1
    await repair(db, found)
    if (!isEmpty(found)) console.log('Mended.')
    return 0
  } finally {
    await db.close()
    await unlock()
  }
}

function isEmpty(found: Disagreements): boolean {
  return Object.values(found).every((list) => list.length === 0)
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
