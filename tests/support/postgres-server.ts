import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Cluster, makeCluster } from './postgres-cluster.ts'

/** A real PostgreSQL of a test's own, on a free port of 127.0.0.1, with everything it writes in one temporary folder. */
export interface PostgresServer {
  /** The address of one of its databases, as its superuser. */
  url(database?: string): string
  start(): Promise<void>
  /** `fast` says goodbye to its clients, `immediate` is a crash. `start` brings the server back on the same port. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  /** Stops it and leaves nothing behind. */
  remove(): Promise<void>
}

/** Makes a server and starts it. Errors: what the server wrote when it gave up. */
export async function startPostgres(): Promise<PostgresServer> {
  const server = control(await makeCluster(), await freePort())
  try {
    await server.start()
    return server
  } catch (error) {
    await server.remove()
    throw error
  }
}

function control(cluster: Cluster, port: number): PostgresServer {
  let keeper: ChildProcess | undefined
  const stop = async (how: 'fast' | 'immediate' = 'fast') => {
    if (!keeper) return
    const ended = new Promise((resolve) => keeper?.once('exit', resolve))
    keeper.stdin?.end(how === 'fast' ? 'INT\n' : 'QUIT\n')
    await ended
    keeper = undefined
  }
  return {
    url: (database = 'postgres') => `postgres://postgres:${cluster.password}@127.0.0.1:${port}/${database}`,
    stop,
    async start() {
      keeper = spawnKeeper(cluster, port)
      await ready(keeper)
    },
    async remove() {
      await stop()
      await rm(cluster.folder, { recursive: true, force: true })
    },
  }
}

/** Nothing here has to survive a crash of the machine, so nothing waits for the disk. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_connections: '200',
}

/**
 * The server hangs on the input of a small shell: a line on it names the signal to send, and its end, which comes
 * however the test run dies, stops the server and removes the folder.
 */
const KEEPER = `
  "$@" & server=$!
  if read -r signal; then kill "-$signal" $server; wait $server
  else kill -INT $server; wait $server; rm -rf "$0"; fi
`

function spawnKeeper({ folder, account, bin }: Cluster, port: number): ChildProcess {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = [join(bin, 'postgres'), '-D', join(folder, 'data'), '-p', String(port), ...settings]
  // Detached: Ctrl-C in a terminal is for the test run, which then lets go of the keeper.
  return spawn('sh', ['-c', KEEPER, folder, ...server], {
    ...account,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
}

/** What a server says to clients that come too early or too late is no failure of its own. */
const FAILED = /FATAL: (?! ?the database system)/

const ready = (keeper: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = ''
    keeper.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < 10_000) said += text
      if (said.includes('ready to accept connections')) resolve()
      if (FAILED.test(said)) reject(new Error(`PostgreSQL did not start: ${said}`))
    })
    keeper.once('error', reject)
    keeper.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)))
  })

/** Below the ports that outgoing connections are given, so that ours is still free after the server was away. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
