import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 30_000
/** A worker that lived this long did not die of its start: the next one need not wait. */
const STEADY_AFTER_MS = 60_000

/**
 * Runs this program `count` times more, all on one port, until a signal ends them; resolves with the exit code. The
 * first worker starts alone, so that migrations and starter content are its business, and a setting that cannot work
 * is complained about once. A worker that dies is replaced, ever more slowly while its kind keep dying young.
 */
export async function runWorkers(count: number, log: Logger): Promise<number> {
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
