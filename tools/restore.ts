// `npm run restore -- FILE [--force]`: puts an archive of `npm run backup` into an empty DATA_DIR, DATABASE_URL and
// STORAGE_URL. What is there already is replaced only with --force, after a backup of it. The service must be stopped.
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { openArchives, placeOfArchive } from '#server/backup/archives/open.ts'
import { openTarget } from '#server/backup/installation.ts'
import { archiveName, makeBackup } from '#server/backup/nightly.ts'
import { type Occupied, restore, TargetOccupied } from '#server/backup/restore.ts'
import { readConfig } from '#server/config/config.ts'
import { SetupError } from '#server/config/env.ts'

const USAGE =
  'npm run restore -- FILE [--force]     FILE: a path, or s3://bucket/name.tar?endpoint=…&region=…'
const log = pino({ level: 'warn' }, pino.destination(2))

try {
  await run(readArguments())
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error)
  process.exitCode = 1
}

function readArguments(): { file: string; force: boolean } {
  try {
    const { values, positionals } = parseArgs({
      options: { force: { type: 'boolean' } },
      allowPositionals: true,
    })
    const [file, ...more] = positionals
    if (!file || more.length > 0) throw new Error('one file')
    return { file, force: values.force ?? false }
  } catch (cause) {
    throw new SetupError(USAGE, { cause })
  }
}

async function run({ file, force }: { file: string; force: boolean }): Promise<void> {
  const config = readConfig(process.env)
  const place = await placeOfArchive(file)
  const target = await openTarget(config, log)
  const onOccupied = async ({ what, hasRows }: Occupied) => {
    if (!force) throw new TargetOccupied(what)
    if (!hasRows) return
    const before = {
      archives: await openArchives(config.backup.dir),
      name: archiveName(new Date(), 'before-restore'),
    }
    await makeBackup(target, before)
    console.log(`What was there is in ${before.archives.describe(before.name)} now.`)
  }
  try {
    const { archive, waitingJobs } = await restore(place, target, { log, onOccupied })
    const { tables, files } = archive.manifest
    console.log(`Restored as of ${archive.header.madeAt}:`)
    console.log(
      `  ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows in ${tables.length} tables, ${files.count} files`,
    )
    if (waitingJobs > 0)
      console.log(`  ${waitingJobs} waiting mails and other jobs, to be sent after the start`)
    if (files.missing.length > 0)
      console.log(`  ${files.missing.length} files were missing already when it was made`)
    console.log('Start the service: npm start')
  } finally {
    await target.close()
  }
}
