import { setTimeout as pause } from 'node:timers/promises'
import pino, { type Logger } from 'pino'

/**
 * Structured lines on standard output; what could hold a secret is cut out wherever it appears.
 * @param worker which of several workers writes them
 */
export const createLog = (level: string, worker?: number): Logger =>
  pino(
    {
      level,
      base: worker === undefined ? null : { worker },
      redact: {
        paths: [
          'apikey',
          'authorization',
          'password',
          'token',
          'secret',
          '*.apikey',
          '*.authorization',
          '*.password',
          '*.token',
          '*.secret',
        ],
        censor: '[hidden]',
      },
    },
    pino.destination({ dest: 1, sync: false, minLength: WRITE_BYTES, periodicFlush: WRITE_MS }),
  )

/** Lines are written together: one at a time they took as long as the answers that they tell of. */
const WRITE_BYTES = 4096
const WRITE_MS = 100

const FLUSH_MS = 1_000

/**
 * Waits until the last lines are out, or have nowhere to go. To be done before an exit: what is left by then is written
 * again and again for as long as that fails, which is for ever when nobody reads our output any more.
 */
export const flushLog = (log: Logger): Promise<void> =>
  Promise.race([new Promise<void>((done) => log.flush(() => done())), pause(FLUSH_MS)])
