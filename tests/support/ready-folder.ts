import { execFile } from 'node:child_process'
import { mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { readConfig } from '#server/config/config.ts'
import { openServiceDatabase } from '#server/database/open.ts'
import { openFiles } from '#server/files/open.ts'
import { loadStarterLibrary } from '#server/starter/load.ts'
import { environment, inTurn } from './databases.ts'
import { type ServerOptions, type ServerProcess, startServer } from './server-process.ts'

const run = promisify(execFile)
const log = pino({ level: 'silent' })
const content = join(import.meta.dirname, '../../content')

/** `startServer` for tests of anything but a first start: its data folder, with its own PostgreSQL, has been made before. */
export async function startReady(options: ServerOptions = {}): Promise<ServerProcess> {
  const dataDir = await copyReadyFolder({ library: options.env?.STARTER_CONTENT !== 'off' })
  return startServer({ ...options, dataDir })
}

/**
 * A data folder as a service leaves it that has started once and has its own database: migrated, and with the starter
 * library if wanted. It is made once in a run, for the first who asks, and copied.
 */
async function copyReadyFolder({ library }: { library: boolean }): Promise<string> {
  const ready = join(environment('TEST_RUN_FOLDER'), library ? 'ready-with-library' : 'ready')
  await inTurn(async () => {
    const isThere = await stat(ready).catch(() => undefined)
    if (!isThere) await make(ready, library)
  })
  const copy = await mkdtemp(join(tmpdir(), 'walking-together-'))
  // The cluster stays with the account that PostgreSQL runs as.
  await run('cp', ['-a', `${ready}/.`, copy])
  return copy
}

/** It gets its name when it is whole: what fails halfway is not taken for it. */
async function make(ready: string, library: boolean): Promise<void> {
  const unfinished = `${ready}-unfinished`
  await rm(unfinished, { recursive: true, force: true })
  const { db, close } = await openServiceDatabase(readConfig({ DATA_DIR: unfinished }), log)
  const files = await openFiles(`file:${join(unfinished, 'files')}`)
  const filled = library ? loadStarterLibrary({ db, files, log, folder: content }) : Promise.resolve()
  await filled.finally(close)
  await rename(unfinished, ready)
}
