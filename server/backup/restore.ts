import { buffer } from 'node:stream/consumers'
import type { Logger } from 'pino'
import { SetupError } from '#server/config/env.ts'
import { allMigrations, appliedMigrations, applyMigrations, refuseNewer } from '#server/database/migrate.ts'
import type { Transaction } from '#server/database/port.ts'
import { type Files, isKey } from '#server/files/port.ts'
import { keepRestoredJobs, type WaitingJob } from '#server/jobs/housekeeping.ts'
import {
  createSealing,
  ENCRYPTION_KEY_FILE,
  parseEncryptionKey,
  reseal,
  settleSealing,
} from '#server/tokens/encryption.ts'
import {
  ArchiveDamaged,
  ArchiveNewer,
  type Checked,
  type Content,
  checkArchive,
  readContents,
} from './archive.ts'
import type { ArchivePlace } from './archives/port.ts'
import { tableContent, WAITING_JOBS } from './dump.ts'
import { beginLoading, type Loading, prepareSchema, refuseWhileServed } from './load.ts'
import { holdsData, openSession, type Session } from './session.ts'

/** Where an archive is restored to. The service must be stopped there. */
export interface Target {
  databaseUrl: string
  files: Files
  dataDir: string
  /** ENCRYPTION_KEY of the target; without it the key in its data folder, which is made if need be. */
  encryptionKey?: Buffer | undefined
}

interface Options {
  log: Logger
  /** Called once all of the archive has been checked. What it throws ends the restore. */
  onChecked?: (archive: Checked) => Promise<void>
  /** Called when the target holds something; what it throws ends the restore before anything is touched. */
  onOccupied: (occupied: Occupied) => Promise<void>
  /** What waits longer than a day is not sent any more; none of it, when this is only a rehearsal. */
  withWaitingJobs?: boolean
  /** Called with the rows in place, before newer migrations change them. */
  inspect?: (session: Session, archive: Checked) => Promise<void>
}

/** What stands in the way of a restore. */
export interface Occupied {
  /** The beginning of a sentence. */
  what: string
  /** There are rows that will be replaced. Files are never removed; those that no row names are swept later. */
  hasRows: boolean
}

/** The target holds something, and nobody said that it may be replaced. */
export class TargetOccupied extends SetupError {
  constructor(what: string) {
    super(
      `${what}. Nothing was changed. Restore into an empty DATA_DIR, DATABASE_URL and STORAGE_URL, or add --force: what is there is backed up first, and then replaced.`,
    )
  }
}

/** What was put back. */
export interface Restored {
  archive: Checked
  waitingJobs: number
}

const DAY_MS = 86_400_000

/**
 * Puts everything that an archive holds into the target. All of the archive is checked before anything is touched; files
 * come first, and the commit of the one transaction last, so whatever happens before leaves the database as it was.
 * Errors: ArchiveDamaged, ArchiveNewer, DatabaseNotRestorable, and what `onOccupied` throws.
 */
export async function restore(
  { archives, name }: ArchivePlace,
  target: Target,
  { log, onChecked, onOccupied, withWaitingJobs = true, inspect }: Options,
): Promise<Restored> {
  const label = archives.describe(name)
  const archive = await checkArchive(label, await archives.read(name))
  await refuseUnknownMigrations(label, archive)
  await onChecked?.(archive)
  const occupied = await whatIsThere(target, archive)
  if (occupied) await onOccupied(occupied)
  const session = await openSession(target.databaseUrl, 'write')
  const written: string[] = []
  try {
    await refuseWhileServed(session.tx)
    await prepareSchema(session.tx, archive.manifest, log)
    const loading = await beginLoading(session, label, archive.manifest)
    const contents = readContents(label, await archives.read(name), archive)
    const { jobs, key } = await putBack(contents, { label, archive, loading, files: target.files, written })
    await loading.end()
    await inspect?.(session, archive)
    await applyMigrations(session.tx, log)
    const waiting = withWaitingJobs ? stillWanted(archive, jobs) : []
    await keepRestoredJobs(session.tx, waiting)
    await sealAnew(session.tx, target, key)
    const mark = await takeOverFiles(session.tx, target.files)
    await session.tx.script('analyze')
    await session.commit()
    await mark()
    return { archive, waitingJobs: waiting.length }
  } catch (error) {
    await session.close()
    // The bytes are of no use without the rows. A process that is killed here leaves them; they hinder no further try.
    for (const version of written) await target.files.remove(version).catch(() => undefined)
    throw error
  } finally {
    await session.close()
  }
}

async function refuseUnknownMigrations(label: string, { header, manifest }: Checked): Promise<void> {
  const known = new Set((await allMigrations()).map(({ version }) => version))
  const unknown = manifest.migrations.find(({ version }) => !known.has(version))
  if (unknown) throw new ArchiveNewer(label, `release ${header.release}, migration ${unknown.version}`)
}

/**
 * Files of this very archive, in a place that nobody has claimed, do not stand in the way: a restore that was killed
 * leaves them. Errors: DatabaseNewer and DatabaseNotRestorable, which no force overrides.
 */
async function whatIsThere(
  { databaseUrl, files }: Target,
  { manifest }: Checked,
): Promise<Occupied | undefined> {
  const session = await openSession(databaseUrl, 'snapshot')
  try {
    await refuseWhileServed(session.tx)
    refuseNewer(await allMigrations(), await appliedMigrations(session.tx))
    if (await holdsData(session.tx)) return { what: 'The database holds data already', hasRows: true }
  } finally {
    await session.close()
  }
  const own = new Set(manifest.parts.map(({ name }) => name.split('/')[1]))
  if (await files.readMarker()) {
    return { what: 'The place for files belongs to an installation already', hasRows: false }
  }
  for await (const { key, whole } of files.list()) {
    if (whole && !own.has(key)) return { what: 'The place for files holds files already', hasRows: false }
  }
  return undefined
}

interface Places {
  label: string
  archive: Checked
  loading: Loading
  files: Files
  /** Gathers the files that were not there before. */
  written: string[]
}

/** Rows and files where they belong; what is needed later is given back. */
async function putBack(
  contents: AsyncIterable<Content>,
  { label, archive, loading, files, written }: Places,
) {
  const tables = new Map(archive.manifest.tables.map((facts) => [tableContent(facts), facts]))
  const there = new Set<string>()
  for await (const { key } of files.list()) there.add(key)
  let jobs: WaitingJob[] = []
  let key: Buffer | undefined
  for await (const { name, bytes } of contents) {
    const facts = tables.get(name)
    const version = /^files\/(.+)$/.exec(name)?.[1]
    if (facts) await loading.table(facts, bytes)
    else if (name === WAITING_JOBS) jobs = JSON.parse((await buffer(bytes)).toString('utf8'))
    else if (name === `keys/${ENCRYPTION_KEY_FILE}`)
      key = parseEncryptionKey((await buffer(bytes)).toString('utf8'))
    else if (version && isKey(version)) {
      if (!there.has(version)) written.push(version)
      await files.write(version, bytes)
    } else throw new ArchiveDamaged(label, `It holds something that this release does not know: ${name}.`)
  }
  return { jobs, key }
}

/** A link that was to be mailed days ago opens nothing any more. */
const stillWanted = ({ header }: Checked, jobs: readonly WaitingJob[]): readonly WaitingJob[] =>
  Date.now() - Date.parse(header.madeAt) < DAY_MS ? jobs : []

/** The target's key takes the place of the one that the archive brings, as in `npm run keys -- reseal`. */
async function sealAnew(tx: Transaction, target: Target, key: Buffer | undefined): Promise<void> {
  await tx.script('delete from platform.encryption_key')
  const to = await settleSealing(tx, target.dataDir, target.encryptionKey)
  if (key) await reseal(tx, { from: createSealing(key), to })
}

/**
 * A place that bears a mark keeps it, and the database takes it over. Any other is marked after the commit, with an id of
 * its own: two installations that were restored from one archive are never taken for each other.
 */
async function takeOverFiles(tx: Transaction, files: Files): Promise<() => Promise<void>> {
  const marker = await files.readMarker()
  if (marker) {
    await tx.query('update storage.installation set id = $1', [marker])
    return async () => undefined
  }
  const { rows } = await tx.query<{ id: string }>(
    'update storage.installation set id = gen_random_uuid() returning id',
  )
  return async () => files.writeMarker(rows[0]?.id ?? '')
}
