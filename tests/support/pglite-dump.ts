import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pino } from 'pino'
import { allMigrations, migrate } from '#server/database/migrate.ts'
import { createDatabase } from '#server/database/open.ts'
import { adaptPglite, createPglite } from '#server/database/pglite.ts'

const cache = join(import.meta.dirname, '../../node_modules/.cache/walking-together')

/**
 * A migrated PGlite as a dump: PGlite needs seconds to make a fresh cluster and a third of one to load a dump. It is
 * kept between runs under the digest of what went into it, so that a changed migration makes a new one.
 */
export async function migratedDump(): Promise<Blob> {
  const name = `${await digest()}.tar`
  const kept = await readFile(join(cache, name)).catch(() => undefined)
  return kept ? new Blob([kept]) : makeDump(name)
}

async function digest(): Promise<string> {
  const hash = createHash('sha256')
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  for (const file of [
    join(engine, '../../package.json'),
    ...(await allMigrations()).map((one) => one.file),
  ]) {
    hash.update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 16)
}

async function makeDump(name: string): Promise<Blob> {
  const engine = await createPglite('memory://')
  const log = pino({ level: 'silent' })
  await migrate(createDatabase(adaptPglite(engine), log), log)
  const dump = await engine.dumpDataDir('none')
  await engine.close()
  await keep(name, dump)
  return dump
}

/** Written aside and renamed, so that a test file running beside this one never reads half of it. */
async function keep(name: string, dump: Blob): Promise<void> {
  await mkdir(cache, { recursive: true })
  const outdated = (await readdir(cache)).filter((file) => file.endsWith('.tar') && file !== name)
  await Promise.all(outdated.map((file) => rm(join(cache, file), { force: true })))
  const aside = join(cache, `${randomUUID()}.part`)
  await writeFile(aside, dump.stream())
  await rename(aside, join(cache, name))
}
