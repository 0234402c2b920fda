// `npm run migrate [-- --status]`: applies the migrations that wait, as each start does; or shows which there are.
import { pino } from 'pino'
import { readConfig } from '#server/config/config.ts'
import { SetupError } from '#server/config/env.ts'
import { type MigrationStatus, migrate, migrationStatus } from '#server/database/migrate.ts'
import { findDatabase, openDatabase } from '#server/database/open.ts'

const [flag, ...more] = process.argv.slice(2)
try {
  if (more.length > 0 || (flag !== undefined && flag !== '--status'))
    throw new SetupError(
      'npm run migrate              applies the migrations that wait\nnpm run migrate -- --status  shows which are applied and which wait',
    )
  process.exitCode = await run(flag === '--status')
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error)
  process.exitCode = 1
}

/** Exit code 0 when the database is what the files say. */
async function run(onlyStatus: boolean): Promise<number> {
  const config = readConfig(process.env)
  if (config.hosted)
    throw new SetupError(
      'The migrations of a hosted project are applied by its own command: npx supabase db push, and listed by npx supabase migration list.',
    )
  const log = pino({ level: 'warn' }, pino.destination(2))
  const { url, stop } = await findDatabase(config, log, false)
  const db = await openDatabase({ kind: 'postgres', url }, log)
  try {
    const before = await db.asOwner('migration status', migrationStatus)
    if (onlyStatus) return report(before)
    await migrate(db, log)
    console.log(
      before.waiting.length > 0
        ? `Applied: ${before.waiting.map(nameOf).join(', ')}`
        : 'Nothing was waiting.',
    )
    return 0
  } finally {
    await db.close()
    await stop()
  }
}

function nameOf({ version, name }: { version: string; name: string }): string {
  return `${version}_${name}`
}

function report({ applied, waiting, altered, unknown }: MigrationStatus): number {
  for (const migration of applied) {
    console.log(`${altered.includes(migration) ? 'altered' : 'applied'}  ${nameOf(migration)}`)
  }
  for (const migration of waiting) console.log(`waiting  ${nameOf(migration)}`)
  for (const version of unknown) console.log(`unknown  ${version}, which this release does not have`)
  if (altered.length > 0)
    console.log(
      'Altered: the file was changed after it had been applied. Put it back, and make the change in a new migration.',
    )
  return waiting.length + altered.length + unknown.length > 0 ? 1 : 0
}
