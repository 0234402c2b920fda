import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Logger } from 'pino'

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
