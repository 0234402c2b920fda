// `npm run backup -- [--to FILE | --verify FILE | --nightly]`: one archive of everything, made while the service runs or
// when it is stopped; or a rehearsal of restoring one. FILE is a path, or s3://bucket/name.tar?endpoint=…&region=…
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import type { Manifest } from '#server/backup/archive.ts'
import { openArchives, placeOfArchive } from '#server/backup/archives/open.ts'
import type { ArchivePlace } from '#server/backup/archives/port.ts'
import { openSource } from '#server/backup/installation.ts'
import { archiveName, makeBackup, runNightlyBackup } from '#server/backup/nightly.ts'
import { verifyBackup } from '#server/backup/verify.ts'
import { type Config, readConfig } from '#server/config/config.ts'
import { SetupError } from '#server/config/env.ts'

const USAGE = `npm run backup                     into BACKUP_DIR (DATA_DIR/backups)
npm run backup -- --to FILE        into that file, or s3://bucket/name.tar?endpoint=…&region=…
npm run backup -- --verify FILE    restores it into a scratch place, compares everything, renders pages
npm run backup -- --nightly        what the service does each night: make, verify, remove the oldest`

const log = pino({ level: 'warn' }, pino.destination(2))

try {
  await run(readArguments(), readConfig(process.env))
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error)
  process.exitCode = 1
}

function readArguments() {
  const options = {
    to: { type: 'string' },
    verify: { type: 'string' },
    nightly: { type: 'boolean' },
  } as const
  try {
    const { values } = parseArgs({ options, strict: true })
    if (Object.keys(values).length > 1) throw new Error('one at a time')
    return values
  } catch (cause) {
    throw new SetupError(USAGE, { cause })
  }
}

async function run(options: ReturnType<typeof readArguments>, config: Config): Promise<void> {
  if (options.verify !== undefined) return verify(await placeOfArchive(options.verify))
  if (options.nightly) {
    const { archive, outcome } = await runNightlyBackup(config, log)
    return console.log(`${archive}: ${outcome}`)
  }
  const place = options.to
    ? await placeOfArchive(options.to)
    : { archives: await openArchives(config.backup.dir), name: archiveName(new Date(), 'manual') }
  await make(place, config)
}

async function make(place: ArchivePlace, config: Config): Promise<void> {
  const source = await openSource(config, log)
  const { manifest, bytes } = await makeBackup(source, place).finally(source.close)
  console.log(`${place.archives.describe(place.name)} (${megabytes(bytes)}) holds`)
  for (const line of describe(manifest)) console.log(`  ${line}`)
  console.log('It holds the keys too: keep it where nobody else can read it.')
}

function describe({ tables, files, waitingJobs, migrations }: Manifest): string[] {
  const rows = tables.filter((table) => table.rows > 0)
  return [
    ...rows.map((table) => `${table.rows} rows of ${table.schema}.${table.name}`),
    `${files.count} files (${megabytes(files.bytes)})`,
    ...(files.missing.length > 0
      ? [
          `not: ${files.missing.length} files that rows name and the store does not have (npm run storage -- check)`,
        ]
      : []),
    ...(waitingJobs > 0 ? [`${waitingJobs} mails and other jobs that were waiting`] : []),
    `the schema as of migration ${migrations.at(-1)?.version ?? 'none'}`,
    'not: settings in the environment, pictures in other sizes, sent mails in DATA_DIR/outbox',
  ]
}

async function verify(place: ArchivePlace): Promise<void> {
  const label = place.archives.describe(place.name)
  const { archive, pages, onlyChecked } = await verifyBackup(place, log)
  const { tables, files } = archive.manifest
  if (onlyChecked) {
    console.log(
      `${label} is whole: every checksum fits. It was not restored, because this machine cannot: ${onlyChecked}`,
    )
    return
  }
  console.log(`${label} was restored and is well (${megabytes(archive.size)}, made ${archive.header.madeAt})`)
  console.log(
    `  ${tables.length} tables with ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows, each compared`,
  )
  console.log(`  ${files.count} files, each compared`)
  if (files.missing.length > 0)
    console.log(`  ${files.missing.length} files were missing already when it was made`)
  for (const { what, path } of pages) console.log(`  rendered: ${what} (${path})`)
  for (const what of ['article', 'picture']) {
    if (!pages.some((page) => page.what === what)) console.log(`  not rendered: there is no ${what} in it`)
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
