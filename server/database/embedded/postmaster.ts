import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Address, addressSettings } from './address.ts'
import { bareEnvironment, type Cluster } from './cluster.ts'

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

export type ServerSettings = Readonly<Record<string, string>>

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
  ended.then((words) => (lastWords = words))
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
