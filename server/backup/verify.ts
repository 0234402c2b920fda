import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { SetupError } from '#server/config/env.ts'
import { freePort } from '#server/database/embedded/address.ts'
import { NoBinaries } from '#server/database/embedded/binaries.ts'
import { stopOrphans } from '#server/database/embedded/postmaster.ts'
import { lockDataDir, startDatabase } from '#server/database/open.ts'
import { openFiles } from '#server/files/open.ts'
import type { Files } from '#server/files/port.ts'
import { type Checked, checkArchive, cut, hashOf, VerificationFailed } from './archive.ts'
import type { ArchivePlace } from './archives/port.ts'
import { restore } from './restore.ts'
import { columnList, openSession, type Session, tableName } from './session.ts'

/** What a verification found to be well. */
interface Verified {
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

/** An address of the restored site, and what its answer must hold. */
interface PageToRender {
  what: string
  path: string
  /** A text of the page; undefined: bytes of that type. */
  shows?: string
  type: string
}

interface RenderedPage {
  what: string
  path: string
}

const root = join(import.meta.dirname, '../..')
const READY_WITHIN_MS = 120_000
const ANSWER_WITHIN_MS = 30_000

/** Home and listing, and one article and one picture if there are any. */
async function pagesToRender(databaseUrl: string): Promise<PageToRender[]> {
  const session = await openSession(databaseUrl, 'snapshot')
  try {
    const { rows: articles } = await session.tx.query<{ id: string; title: string }>(
      `select id, title from public.resources where public and category = 'reading' order by date desc nulls last, id limit 1`,
    )
    const { rows: pictures } = await session.tx.query<{ name: string }>(
      `select name from storage.objects where bucket_id = 'images' and metadata ->> 'mimetype' like 'image/%' order by name limit 1`,
    )
    return [
      { what: 'home', path: '/', shows: '<h1', type: 'text/html' },
      { what: 'listing', path: '/resources', shows: '<h1', type: 'text/html' },
      ...articles.map(({ id, title }) => ({
        what: 'article',
        path: `/resource/${id}`,
        shows: title,
        type: 'text/html',
      })),
      ...pictures.map(({ name }) => ({
        what: 'picture',
        path: `/storage/v1/object/public/images/${name.split('/').map(encodeURIComponent).join('/')}`,
        type: 'image/',
      })),
    ]
  } finally {
    await session.close()
  }
}

/**
 * Starts the service on a data folder, on a port of this machine alone and with settings of its own: it sends nothing, backs
 * up nothing, and asks no other server. Errors: VerificationFailed, with what it said.
 */
async function renderPages(dataDir: string, pages: readonly PageToRender[]): Promise<RenderedPage[]> {
  const url = `http://127.0.0.1:${await freePort()}`
  const service = startService(dataDir, url)
  try {
    await ready(url, service)
    for (const page of pages) await render(url, page)
    return pages.map(({ what, path }) => ({ what, path }))
  } finally {
    await service.stop()
  }
}

function startService(dataDir: string, url: string) {
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env
  const child = spawn(process.execPath, [join(root, 'server/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ PATH, HOME, ...(TMPDIR && { TMPDIR }) },
      ...{
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: new URL(url).port,
        SITE_URL: url,
        DATA_DIR: dataDir,
      },
      ...{ BACKUP_AT: 'off', STARTER_CONTENT: 'off', LOG_LEVEL: 'warn' },
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000)
    })
  }
  return { child, said: () => said, stop: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

async function ready(url: string, { child, said }: ReturnType<typeof startService>): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new VerificationFailed(`The service does not start on it: ${said()}`)
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await pause(100)
  }
  throw new VerificationFailed(`The service did not get ready on it: ${said()}`)
}

async function render(url: string, { what, path, shows, type }: PageToRender): Promise<void> {
  const answer = await fetch(url + path, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const isRight = answer.ok && answer.headers.get('content-type')?.startsWith(type) && bytes.length > 0
  const isShown = shows === undefined || decodeEntities(bytes.toString('utf8')).includes(shows)
  if (!isRight || !isShown)
    throw new VerificationFailed(`The ${what} (${path}) answers ${answer.status} and is not as it should be.`)
}

/** Those that React writes. */
const decodeEntities = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
