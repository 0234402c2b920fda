import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseUrl, onServer } from './databases.ts'
import { fileStores } from './files.ts'
import { startRoundRobin } from './round-robin.ts'
import { type ServerProcess, startServer } from './server-process.ts'

/** An empty database on the run's PostgreSQL server and an empty bucket, for services that share them. */
export async function openSharedPlaces() {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name} template template0`)
  const bucket = await fileStores[1][1]()
  return {
    env: {
      DATABASE_URL: databaseUrl(name),
      STORAGE_URL: bucket.url,
      AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID ?? '',
      AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY ?? '',
    },
    async remove() {
      await onServer(`drop database if exists ${name} with (force)`)
      await bucket.remove()
    },
  }
}

/** The same build several times, as on several machines: each with a data folder of its own, behind one address. */
export interface ServerGroup {
  /** The address that people know; each request reaches the next process. */
  url: string
  /** Each under its own address, with the keys that they agreed on. */
  servers: ServerProcess[]
  /** Starts a process that died again, on its own data. */
  restart(index: number): Promise<void>
  remove(): Promise<void>
}

/** Starts them all at the same moment, on an empty database. They make their API keys themselves. */
export async function startGroup(count: number, more: Record<string, string> = {}): Promise<ServerGroup> {
  const places = await openSharedPlaces()
  const proxy = await startRoundRobin()
  const env = {
    ...places.env,
    SITE_URL: proxy.url,
    TRUST_PROXY: '1',
    SUPABASE_PUBLISHABLE_KEY: '',
    SUPABASE_SECRET_KEY: '',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ...more,
  }
  const start = async (dataDir?: string): Promise<ServerProcess> => {
    const server = await startServer({ env, ...(dataDir && { dataDir }) })
    return { ...server, keys: JSON.parse(await readFile(join(server.dataDir, 'api-keys.json'), 'utf8')) }
  }
  const begun = await Promise.allSettled(Array.from({ length: count }, () => start()))
  const servers = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = begun.find((one) => one.status === 'rejected')
  if (failed) {
    await Promise.all([proxy.stop(), ...servers.map((server) => server.remove())])
    await places.remove()
    throw failed.reason
  }
  const serve = () => proxy.serve(servers.map(({ url }) => url))
  serve()
  return {
    url: proxy.url,
    servers,
    async restart(index) {
      servers[index] = await start(servers[index]?.dataDir)
      serve()
    },
    async remove() {
      await proxy.stop()
      await Promise.all(servers.map((server) => server.remove()))
      await places.remove()
    },
  }
}
