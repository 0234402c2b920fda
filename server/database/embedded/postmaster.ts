import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import { type Address, addressSettings } from './address.ts'
import { bareEnvironment, type Cluster, type ServerSettings } from './cluster.ts'

/** A running PostgreSQL. */
export interface Postmaster {
  /** Resolves when it has ended, for whatever reason, with its last words. */
  ended: Promise<string>
  /** Ends it: clients are cut off, and everything is on the disk when this resolves. */
  stop(): Promise<void>
  /** Ends it at once, as a crash does: the next start recovers what was committed. */
  crash(): Promise<void>
}

/** PostgreSQL ended instead of getting ready. */
export class PostgresDidNotStart extends Error {
  /** What it said, newest last. */
  readonly words: string
  constructor(words: string) {
    super(`PostgreSQL did not start: ${reasonIn(words)}`)
    this.name = 'PostgresDidNotStart'
    this.words = words
  }
}

/** One line of what PostgreSQL says, without its prefix. */
export type Hear = (level: string, text: string) => void

const READY_CHECK_MS = 15
/** A stop waits for a checkpoint; after this long it is a crash, from which the next start recovers. */
const STOP_WITHIN_MS = 30_000
/** As much as is kept of what it says, for the message when it ends. */
const LAST_WORDS = 4_000

/** Starts PostgreSQL and waits until it can be asked. Errors: PostgresDidNotStart. */
export async function startPostmaster(
  cluster: Cluster,
  address: Address,
  settings: ServerSettings,
  hear: Hear = () => undefined,
): Promise<Postmaster> {
  const child = launch(cluster, { ...settings, ...addressSettings(address) })
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS)
    for (const [, level, line] of text.matchAll(/^(\w+): {2}(.*)$/gm)) hear(level ?? '', line ?? '')
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`${words}\n${error.message}`))
    // `close` comes when its last words have been read; a process of its own may hold the pipe a little longer.
    child.once('exit', () => setTimeout(() => resolve(words), READY_CHECK_MS))
  })
  await ready(cluster.data, ended)
  const crash = async () => {
    await signalPostmaster(cluster.data, 'SIGQUIT')
    await ended
  }
  return { ended, crash, stop: () => stop(cluster, child, ended, crash) }
}

/**
 * PostgreSQL hangs on the input of a small shell, which closes however our process dies: then the shell stops it. The
 * shell ends when PostgreSQL does, with its exit code. What stops us does not stop the shell, in a group or a session.
 */
const KEEPER = `
  exec 3<&0
  "$@" 3<&- </dev/null & server=$!
  ( trap '' INT TERM HUP; read -r _ <&3; kill -INT $server ) & watcher=$!
  exec 3<&-
  trap '' INT TERM HUP
  wait $server; code=$?
  kill -KILL $watcher 2>/dev/null
  exit $code
`

function launch({ bin, data, account }: Cluster, settings: ServerSettings): ChildProcess {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = [join(bin, 'postgres'), '-D', data, ...options] as const
  const about = { ...account, cwd: data, env: bareEnvironment() }
  if (process.platform === 'win32') {
    return spawn(server[0], server.slice(1), {
      ...about,
      stdio: ['ignore', 'ignore', 'pipe'],
      windowsHide: true,
    })
  }
  return spawn('/bin/sh', ['-c', KEEPER, 'walking-together-postgres', ...server], {
    ...about,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
}

/** The eighth line of its lock file says how it is, as pg_ctl reads it. */
async function ready(data: string, ended: Promise<string>): Promise<void> {
  let lastWords: string | undefined
  void ended.then((words) => (lastWords = words))
  for (;;) {
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
    if (lines[7]?.trim() === 'ready') return
    if (lastWords !== undefined) throw new PostgresDidNotStart(lastWords)
    await pause(READY_CHECK_MS)
  }
}

async function stop(
  cluster: Cluster,
  child: ChildProcess,
  ended: Promise<string>,
  crash: () => Promise<void>,
): Promise<void> {
  if (child.stdin) child.stdin.end()
  else await pgCtlStop(cluster)
  const late = new AbortController()
  const impatient = pause(STOP_WITHIN_MS, 'late', { signal: late.signal }).catch(() => '')
  if ((await Promise.race([ended, impatient])) === 'late') await crash()
  late.abort()
}

async function signalPostmaster(data: string, signal: NodeJS.Signals): Promise<void> {
  const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  if (pid) process.kill(Number(pid), signal)
}

/** Windows has no signals; pg_ctl knows what PostgreSQL listens to there. */
async function pgCtlStop({ bin, data }: Cluster): Promise<void> {
  const stopping = promisify(execFile)(join(bin, 'pg_ctl'), ['stop', '-D', data, '-m', 'fast', '-W'])
  await stopping.catch(() => undefined)
}

/** The sentence that says why, of all that it said. */
function reasonIn(words: string): string {
  const reasons = [...words.matchAll(/^(?:PANIC|FATAL|postgres): +(.*)$/gm)].map(([, reason]) => reason)
  return reasons[0] ?? (words.trim().split('\n').at(-1) || 'it said nothing')
}

const run = promisify(execFile)

const CHECK_MS = 20
/** How long each way of asking gets: cut clients off, crash, be ended. The database recovers from all of them. */
const WAYS = [
  ['SIGINT', 2_500],
  ['SIGQUIT', 1_500],
  ['SIGKILL', 5_000],
] as const

/**
 * Ends what an earlier process of ours, dead by now, has left running on this cluster, and removes its lock file. Only
 * processes that are seen to be PostgreSQL on this very folder are touched: the number in the file may have been given to
 * a stranger since. The caller holds the lock of the data folder, so nobody living owns them.
 */
export async function stopOrphans(data: string, log: Logger): Promise<void> {
  const lockFile = join(data, 'postmaster.pid')
  const text = await readFile(lockFile, 'utf8').catch(() => undefined)
  if (text === undefined) return
  const postmaster = Number(text.split('\n')[0])
  const find = () => serversOn(data, postmaster)
  const found = await find()
  if (found.length > 0) log.warn({ pids: found }, 'stopping the PostgreSQL of a service that is gone')
  for (const [signal, patience] of WAYS) {
    if (await goneAfter(signal, patience, find, postmaster)) break
  }
  await rm(lockFile, { force: true })
}

async function goneAfter(
  signal: NodeJS.Signals,
  patience: number,
  find: () => Promise<number[]>,
  postmaster: number,
): Promise<boolean> {
  const found = await find()
  // The others end with the postmaster; where it is dead already, nothing else would tell them.
  const told = found.includes(postmaster) && signal !== 'SIGKILL' ? [postmaster] : found
  for (const pid of told) send(pid, found.includes(postmaster) ? signal : 'SIGQUIT')
  const until = performance.now() + patience
  while ((await find()).length > 0) {
    if (performance.now() > until) return false
    await pause(CHECK_MS)
  }
  return true
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

/** The processes of PostgreSQL on a data folder: the postmaster, and on Linux those that it left behind. */
async function serversOn(data: string, postmaster: number): Promise<number[]> {
  const folder = await realpath(data)
  if (process.platform !== 'linux') return (await commandNames(postmaster, folder)) ? [postmaster] : []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const ours = await Promise.all(pids.map((pid) => isServerOn(pid, folder)))
  return pids.filter((_, i) => ours[i])
}

/** PostgreSQL works in its data folder. Where that cannot be seen, its command line names it. */
async function isServerOn(pid: number, folder: string): Promise<boolean> {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  if (!/^postgres(\.exe)?(:|$)/.test(basename(words[0]?.split(': ')[0] ?? ''))) return false
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  return cwd === undefined ? words[words.indexOf('-D') + 1] === folder : cwd === folder
}

/** On macOS and Windows, where the system is asked for the command line of one process. */
async function commandNames(pid: number, folder: string): Promise<boolean> {
  const asked =
    process.platform === 'win32'
      ? run('powershell', [
          '-NoProfile',
          '-Command',
          `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`,
        ])
      : run('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  const command = await asked.then(
    ({ stdout }) => stdout,
    () => '',
  )
  return command.includes('postgres') && command.includes(folder)
}
