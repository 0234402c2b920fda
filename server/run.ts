import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
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

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 30_000
/** A worker that lived this long did not die of its start: the next one need not wait. */
const STEADY_AFTER_MS = 60_000

/**
 * Runs this program `count` times more, all on one port, until a signal ends them; resolves with the exit code. The
 * first worker starts alone, so that migrations and starter content are its business, and a setting that cannot work
 * is complained about once. A worker that dies is replaced, ever more slowly while its kind keep dying young.
 */
async function runWorkers(count: number, log: Logger): Promise<number> {
  const stopped = new AbortController()
  const passOn = (signal: NodeJS.Signals) => {
    if (!stopped.signal.aborted) log.info({ signal, workers: count }, 'stopping all workers')
    stopped.abort()
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, passOn)

  cluster.on('fork', ({ id, process: { pid } }) => log.info({ worker: id, pid }, 'worker started'))
  const first = cluster.fork()
  const firstEnd = ended(first)
  const isOpen = await Promise.race([listening(first), firstEnd.then(() => false)])
  if (!isOpen) return stopped.signal.aborted ? 0 : await firstEnd
  const others = Array.from({ length: count - 1 }, () => keep(cluster.fork(), stopped.signal, log))
  const codes = await Promise.all([keep(first, stopped.signal, log), ...others])
  return Math.max(...codes)
}

/** Sees to it that there is always this worker or its successor, until told to stop; then the last one's exit code. */
async function keep(worker: Worker, stop: AbortSignal, log: Logger): Promise<number> {
  let delay = FIRST_RETRY_MS
  for (let current = worker; ; current = cluster.fork()) {
    const bornAt = performance.now()
    const code = await ended(current)
    if (stop.aborted) return code
    if (performance.now() - bornAt > STEADY_AFTER_MS) delay = FIRST_RETRY_MS
    log.error({ worker: current.id, code, retryMs: delay }, 'worker died; starting another')
    await pause(delay, undefined, { signal: stop }).catch(() => undefined)
    if (stop.aborted) return 0
    delay = Math.min(delay * 2, LONGEST_RETRY_MS)
  }
}

const listening = (worker: Worker): Promise<boolean> =>
  new Promise((resolve) => worker.once('listening', () => resolve(true)))

/** The exit code: 0 also for one that was told to stop before it could listen to that, 1 for one that was killed. */
const ended = (worker: Worker): Promise<number> =>
  new Promise((resolve) => {
    const read = () => resolve(codeOf(worker.process))
    if (worker.isDead()) read()
    else worker.once('exit', read)
  })

const codeOf = ({ exitCode, signalCode }: Worker['process']): number =>
  exitCode ?? (signalCode === 'SIGTERM' || signalCode === 'SIGINT' ? 0 : 1)
