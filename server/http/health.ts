import type { Server } from 'node:http'
import type { Logger } from 'pino'
import { flushLog } from './request-log.ts'

/** Requests that take longer than this after a stop signal are cut off. */
const DRAIN_MS = 10_000
/** A terminal's Ctrl+C reaches us twice, directly and through `npm start`; that is still one stop. */
const SAME_STOP_MS = 1_000

/**
 * On the first of the signals: takes no new connections, lets requests in flight finish, then closes the given things
 * in order and exits 0. A second signal, sent because that takes too long, exits at once with 1.
 */
export function shutDownOn(
  signals: NodeJS.Signals[],
  server: Server,
  log: Logger,
  close: ReadonlyArray<() => Promise<unknown>>,
): void {
  let stoppingSince: number | undefined
  const stop = async (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SAME_STOP_MS) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    log.info({ signal }, 'stopping')
    await drain(server)
    for (const step of close) await step().catch((error) => log.error({ err: error }, 'closing failed'))
    log.info('stopped')
    await flushLog(log)
    process.exit(0)
  }
  for (const signal of signals) process.on(signal, stop)
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A connection that was busy a moment ago is idle when its answer is out, and would be kept for the next request.
  const hangUp = setInterval(() => server.closeIdleConnections(), 50)
  const cutOff = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearInterval(hangUp)
  clearTimeout(cutOff)
}
