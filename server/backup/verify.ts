import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { SetupError } from '#server/config/setup-error.ts'
import { lockDataDir } from '#server/database/data-dir-lock.ts'
import { NoBinaries } from '#server/database/embedded/binaries.ts'
import { stopOrphans } from '#server/database/embedded/orphans.ts'
import { startDatabase } from '#server/database/own.ts'
import { openFiles } from '#server/files/open.ts'
import type { Files } from '#server/files/port.ts'
import { type Checked, checkArchive, cut, hashOf } from './archive.ts'
import type { ArchivePlace } from './archives/port.ts'
import { VerificationFailed } from './manifest.ts'
import { pagesToRender, type RenderedPage, renderPages } from './render-pages.ts'
import { restore } from './restore.ts'
import type { Session } from './session.ts'
import { columnList, tableName } from './tables.ts'

/** What a verification found to be well. */
export interface Verified {
  archive: Checked
  /** Empty when it could only be checked, not restored. */
  pages: RenderedPage[]
  /** Why it could not be restored here. */
  onlyChecked: string | undefined
}

const SCRATCH = 'walking-together-verify-'
/** A cluster without rows, and some room to breathe. */
const ROOM_BESIDES = 300 * 1024 * 1024

/**
 * Restores an archive into a database and a folder of its own, compares every table and file with what the archive says,
 * starts the service on it and renders pages. The place is removed again; nothing of it is ever sent to anybody.
 * Errors: ArchiveDamaged, ArchiveNewer, VerificationFailed, SetupError when there is no room.
 */
export async function verifyBackup(place: ArchivePlace, log: Logger): Promise<Verified> {
  await removeAbandoned(log)
  const scratch = await mkdtemp(join(tmpdir(), SCRATCH))
  try {
    return await verifyIn(scratch, place, log)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function verifyIn(scratch: string, place: ArchivePlace, log: Logger): Promise<Verified> {
  const database = { kind: 'embedded', folder: join(scratch, 'postgres') } as const
  const started = await startDatabase({ database, dataDir: scratch, workers: 1 }, log).catch((error) => {
    if (error instanceof NoBinaries) return error
    throw error
  })
  if (started instanceof NoBinaries) {
    const label = place.archives.describe(place.name)
    const archive = await checkArchive(label, await place.archives.read(place.name))
    return { archive, pages: [], onlyChecked: started.message }
  }
  const files = await openFiles(`file:${join(scratch, 'files')}`)
  const target = { databaseUrl: started.url, files, dataDir: scratch }
  const restored = await restore(place, target, {
    log,
    onChecked: (archive) => mustFit(archive, scratch),
    onOccupied: async () => undefined,
    withWaitingJobs: false,
    inspect: compareTables,
  }).catch(async (error) => {
    await started.stop()
    throw error
  })
  const wanted = await pagesToRender(started.url).finally(() => started.stop())
  await compareFiles(files, restored.archive)
  return { archive: restored.archive, pages: await renderPages(scratch, wanted), onlyChecked: undefined }
}

/** Errors: SetupError, before a byte is written. */
async function mustFit({ manifest }: Checked, folder: string): Promise<void> {
  // Rows take about twice their text, with indexes and the log of changes.
  const rows = manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const needed = 3 * rows + manifest.files.bytes + ROOM_BESIDES
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < needed)
    throw new SetupError(
      `Verifying this backup needs ${Math.ceil(needed / 1024 ** 2)} MB in ${tmpdir()}, and ${Math.floor((bavail * bsize) / 1024 ** 2)} MB are free. Make room, or set TMPDIR to another folder.`,
    )
}

/** Every row must read as it did when it was backed up. Errors: VerificationFailed. */
async function compareTables({ copyOut }: Session, { manifest }: Checked): Promise<void> {
  for (const facts of manifest.tables) {
    const rows = copyOut(`copy ${tableName(facts)} (${columnList(facts.columns)}) to stdout`)
    const hash = createHash('sha256')
    for await (const chunk of rows) hash.update(chunk as Uint8Array)
    if (rows.rowCount !== facts.rows || hash.digest('hex') !== facts.sha256) {
      throw new VerificationFailed(`After the restore ${facts.schema}.${facts.name} is not what it was.`)
    }
  }
}

/** Errors: VerificationFailed, FileMissing. */
async function compareFiles(files: Files, { manifest }: Checked): Promise<void> {
  const expected = new Map(manifest.parts.map(({ name, sha256 }) => [name, sha256]))
  const contents = new Set(
    manifest.parts.map(({ name }) => /^files\/[^/]+/.exec(name)?.[0]).filter((name) => name !== undefined),
  )
  for (const content of contents) {
    for await (const { name, bytes } of cut(content, await files.read(content.slice('files/'.length)))) {
      if (expected.get(name) !== hashOf(bytes))
        throw new VerificationFailed(`After the restore ${content} is not what it was.`)
    }
  }
}

/** What a verification has left that was killed: a folder, and a PostgreSQL that may still run in it. */
async function removeAbandoned(log: Logger): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(SCRATCH)) continue
    const folder = join(tmpdir(), name)
    // Whoever holds the lock is at work there.
    const unlock = await lockDataDir(folder).catch(() => undefined)
    if (!unlock) continue
    await stopOrphans(join(folder, 'postgres', 'cluster'), log).catch((error) =>
      log.warn({ err: error }, 'abandoned database'),
    )
    await unlock()
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}
