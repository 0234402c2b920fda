import cluster from 'node:cluster'
import { createServer } from 'node:http'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import { openEmbedded } from './backend/embedded.ts'
import type { NewAdmin } from './backend/first-admin.ts'
import { openHosted } from './backend/hosted.ts'
import type { Backend } from './backend/port.ts'
import { type Config, readConfig } from './config/config.ts'
import { SetupError } from './config/env.ts'
import { startDatabase } from './database/open.ts'
import { type Admission, createAdmission } from './http/admission.ts'
import { connectionOptions, limitConnections } from './http/connection-limits.ts'
import { shutDownOn } from './http/health.ts'
import { createLog, flushLog } from './http/request-log.ts'
import type { Meters } from './metrics/meters.ts'
import { metricsOfWorkers, serveMetrics } from './metrics/serve.ts'
import type { OpenSite } from './site/build.ts'
import { runWorkers } from './workers.ts'

/** Runs the service until it is told to stop. What an owner can mend is said in one sentence; the exit code is then 1. */
export async function run(env: NodeJS.ProcessEnv, openSite: OpenSite): Promise<void> {
  try {
    const config = readConfig(env)
    if (cluster.isPrimary && config.workers > 1) {
      process.exit(await runAsPrimary(config))
    }
    await start(config, openSite)
  } catch (error) {
    console.error(error instanceof SetupError ? `\n${error.message}\n` : error)
    process.exit(1)
  }
}

/** Owns the database, if it is ours, for as long as there are workers. Gives the exit code. */
async function runAsPrimary(config: Config): Promise<number> {
  const log = createLog(config.logLevel)
  const database = config.hosted ? undefined : await startDatabase(config, log)
  if (config.metricsPort) await serveMetrics(config.metricsPort, metricsOfWorkers())
  const code = await runWorkers(config.workers, log)
  await database?.stop()
  await flushLog(log)
  return code
}

/** Opens everything, serves, and arranges that it is closed in the opposite order. */
async function start(config: Config, openSite: OpenSite): Promise<void> {
  const log = createLog(config.logLevel, cluster.worker?.id)
  const meters = config.metricsPort ? (await import('./metrics/meters.ts')).openMeters() : undefined
  const gates = createAdmission(config)
  const admission = meters ? meters.timeWaits(gates) : gates
  const backend = await openBackend(config, admission, log)
  // Said at once: a start that fails further on must not take the only copy of the password with it.
  if (backend.newAdmin) console.log(welcome(backend.newAdmin))
  const site = await openSite()
  const app = await createApp({ config, backend, site, admission, meters, log })
  const closeMetrics = await publish(meters, backend, config)
  const server = createServer(connectionOptions, site.around(app.listener))
  limitConnections(server, config)
  const { port, host } = config.listen
  server.once('error', (error: NodeJS.ErrnoException) => {
    console.error(error.code === 'EADDRINUSE' ? `\nPort ${port} is taken. Set PORT to another one.\n` : error)
    process.exit(1)
  })
  server.listen(port, host, () => {
    log.info({ address: server.address() }, 'listening')
    // One of several workers speaks for all: the one that came first.
    if ((cluster.worker?.id ?? 1) === 1) console.log(`\n  Walking Together is open at ${config.siteUrl}\n`)
  })
  shutDownOn(['SIGTERM', 'SIGINT'], server, log, [app.close, site.close, closeMetrics, backend.close])
}

/** The metrics of a process that stands alone; those of workers are gathered by the first process. */
async function publish(meters: Meters | undefined, backend: Backend, { metricsPort }: Config) {
  if (meters && backend.figures) meters.read(backend.figures)
  if (!meters || !metricsPort || cluster.isWorker) return async () => undefined
  return serveMetrics(metricsPort, {
    contentType: meters.registry.contentType,
    read: () => meters.registry.metrics(),
  })
}

/** Shown at one start only: the password is kept nowhere but as a hash. */
const welcome = ({ email, madePassword }: NewAdmin): string => {
  const password = madePassword ? `password ${madePassword}` : 'the password in ADMIN_PASSWORD'
  return `\n  Sign in as admin: ${email} with ${password}${madePassword ? ' (shown only this once)' : ''}`
}

const openBackend = async (config: Config, admission: Admission, log: Logger): Promise<Backend> =>
  config.hosted ? openHosted(config.hosted, log) : openEmbedded(config, admission, log)
