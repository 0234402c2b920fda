import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import memory from '../../tools/setup/memory.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const READY_WITHIN_MS = 60_000
/** What the first of many services has compiled, the others need not. */
export const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/compiled')

/** The service as its owner runs it: a process of its own, on a free port, with its data in a temporary folder. */
export interface ServerProcess {
  url: string
  dataDir: string
  /** The API keys it was given: service_role with the secret one. */
  keys: { publishable: string; secret: string }
  process: ChildProcess
  /** All that it has written so far. */
  output(): string
  /** SIGTERM, then the exit code. */
  stop(): Promise<number | null>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

export interface ServerOptions {
  env?: Record<string, string>
  /** An earlier process's data, to start on existing data. */
  dataDir?: string
  /** The name by which it is called; passkeys need one. */
  host?: 'localhost' | '127.0.0.1'
  /** What depends on its own address. */
  envFor?: (url: string) => Record<string, string> | Promise<Record<string, string>>
}

const keys = { publishable: 'sb_publishable_for_the_tests', secret: 'sb_secret_for_the_tests' }

/** Starts the built service and waits until it is ready. Errors: it ended or did not get ready; with its output. */
export async function startServer({
  env = {},
  dataDir,
  host = '127.0.0.1',
  envFor = () => ({}),
}: ServerOptions = {}): Promise<ServerProcess> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'walking-together-')))
  const port = await freePort()
  const url = `http://${host}:${port}`
  const server = spawnServer({
    PORT: String(port),
    SITE_URL: url,
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
    SUPABASE_PUBLISHABLE_KEY: keys.publishable,
    SUPABASE_SECRET_KEY: keys.secret,
    ...env,
    ...(await envFor(url)),
  })
  const stop = () => endProcess(server.process)
  const remove = async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
  const running = { url, dataDir: folder, keys, ...server, stop, remove }
  try {
    await ready(running)
    return running
  } catch (error) {
    await remove()
    throw error
  }
}

/** Starts the service's process without waiting for anything. */
export function spawnServer(env: Record<string, string>) {
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env
  const inherited = { PATH, HOME, TMPDIR, NODE_ENV: 'production' }
  const child = spawn(process.execPath, [...memory.flags, 'server/main.ts'], {
    cwd: root,
    env: { ...inherited, ...memory.env, NODE_COMPILE_CACHE, ...env },
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (written += chunk))
  return { process: child, output: () => written }
}

/** Sends SIGTERM unless it has ended, and gives the exit code. */
export async function endProcess(
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill(signal)
  return ended
}

async function ready({ url, process: child, output }: ServerProcess): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output()}`)
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(50)
  }
  throw new Error(`The server was not ready in time:\n${output()}`)
}

/** A port of 127.0.0.1 that nobody uses at this moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
