import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '#server/config/config.ts'
import { type RunningDatabase, startDatabase } from '#server/database/open.ts'

const run = promisify(execFile)

export const runsAsRoot = process.getuid?.() === 0

/** Starts the database of a data folder within this process, as the service does. */
export const start = (dataDir: string): Promise<RunningDatabase> =>
  startDatabase(readConfig({ DATA_DIR: dataDir }), pino({ level: 'silent' }))

/** One statement, on a connection of its own. */
export async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Folders of a test file's own, all of them gone when it ends. */
export function temporaryFolders() {
  const folders: string[] = []
  return {
    async make(parent = tmpdir()): Promise<string> {
      const folder = await mkdtemp(join(parent, 'walking-together-'))
      folders.push(folder)
      return folder
    },
    /** A copy of a data folder whose database is stopped: cheaper than a new one. */
    async copyOf(dataDir: string): Promise<string> {
      const copy = await this.make()
      await run('cp', ['-a', `${dataDir}/.`, copy]).catch(() => cp(dataDir, copy, { recursive: true }))
      return copy
    },
    async removeAll(): Promise<void> {
      for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The number of the postmaster, as its lock file says it. */
export async function postmasterOf(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').catch(() => '')
  return Number(text.split('\n')[0])
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A process that starts the database of a folder, runs a statement, says so, and waits to be killed. */
export async function startElsewhere(dataDir: string, sql = 'select 1'): Promise<ChildProcess> {
  const child = spawnHolder(dataDir, sql)
  const [said] = await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')])
  if (!String(said).startsWith('ready')) throw new Error(`it did not start: ${said}`)
  return child
}

/** The same without waiting for anything. */
export const spawnHolder = (dataDir: string, sql = 'select 1'): ChildProcess =>
  spawn(process.execPath, ['tests/support/hold-database.ts', dataDir, sql], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    // So that a test can end all of it at once.
    detached: true,
  })

/** A file system of a few megabytes of its own at the folder; undefined where that is not permitted. */
export async function mountSmall(
  folder: string,
  megabytes: number,
): Promise<(() => Promise<void>) | undefined> {
  const mounted = await run('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${megabytes}m,mode=755`,
    'tmpfs',
    folder,
  ]).then(
    () => true,
    () => false,
  )
  if (!mounted) return undefined
  return async () => {
    await run('umount', ['-l', folder])
  }
}

/** Names and sizes of all files below, to see that nothing was touched. */
export async function inventory(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  const lines = await Promise.all(
    names.map(async (name) => `${name} ${(await stat(join(folder, name))).mtimeMs}`),
  )
  return lines.sort()
}
