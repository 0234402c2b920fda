import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, connectionUrl, freePort } from '#server/database/embedded/address.ts'
import { findBinaries } from '#server/database/embedded/binaries.ts'
import { type Cluster, initialise } from '#server/database/embedded/cluster.ts'
import { settleHome } from '#server/database/embedded/home.ts'
import { type Postmaster, startPostmaster } from '#server/database/embedded/postmaster.ts'

/** A real PostgreSQL of a test's own, on a free port of 127.0.0.1, with everything it writes in one temporary folder. */
export interface PostgresServer {
  /** The address of one of its databases, as its superuser. */
  url(database?: string): string
  /** Does nothing while it runs. */
  start(): Promise<void>
  /** `fast` says goodbye to its clients, `immediate` is a crash. `start` brings the server back on the same port. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  /** Stops it and leaves nothing behind. */
  remove(): Promise<void>
}

/** Makes a server as the product does, and starts it. Errors: what the server wrote when it gave up. */
export async function startPostgres(): Promise<PostgresServer> {
  const parent = await mkdtemp(join(tmpdir(), 'walking-together-postgres-'))
  try {
    const server = control(await makeCluster(join(parent, 'postgres')), { port: await freePort() }, parent)
    await server.start()
    return server
  } catch (error) {
    await rm(parent, { recursive: true, force: true })
    throw error
  }
}

async function makeCluster(folder: string): Promise<Cluster> {
  const home = await settleHome(folder)
  const cluster = {
    ...home,
    ...(await findBinaries(home)),
    data: join(home.folder, 'cluster'),
    password: randomBytes(18).toString('base64url'),
  }
  await initialise(cluster, cluster.data, { durable: false })
  return cluster
}

/** Nothing here has to survive a crash of the machine, so nothing waits for the disk; a crash of PostgreSQL loses nothing. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_connections: '200',
  log_line_prefix: '',
}

function control(cluster: Cluster, address: Address, parent: string): PostgresServer {
  let running: Postmaster | undefined
  const stop = async (how: 'fast' | 'immediate' = 'fast') => {
    await (how === 'fast' ? running?.stop() : running?.crash())
    running = undefined
  }
  return {
    url: (database) => connectionUrl(address, cluster.password, database),
    stop,
    async start() {
      running ??= await startPostmaster(cluster, address, SETTINGS)
    },
    async remove() {
      await stop()
      await rm(parent, { recursive: true, force: true })
    },
  }
}
