import { setTimeout as pause } from 'node:timers/promises'
import type { MiddlewareHandler } from 'hono'
import { type RequestIdVariables, requestId } from 'hono/request-id'
import type { Logger } from 'pino'
import pino from 'pino'

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
    linesTogether(1),
  )

/** Lines are written together: one at a time they took as long as the answers that they tell of. */
const WRITE_CHARACTERS = 64 * 1024
const WRITE_MS = 100

/**
 * Gathers lines for a moment and hands them to the system in one piece, without waiting for whoever reads them. The last
 * ones go out at an exit; a kill loses what was written in the last WRITE_MS.
 */
function linesTogether(fd: number) {
  // With a least length, however small, a flush waits until everything is out.
  const output = pino.destination({ dest: fd, sync: false, minLength: 1, maxWrite: WRITE_CHARACTERS })
  let gathered = ''
  let timer: NodeJS.Timeout | undefined
  const handOver = () => {
    clearTimeout(timer)
    timer = undefined
    const text = gathered
    gathered = ''
    if (text) output.write(text)
  }
  // Before that of the output itself, which waits until its own are out.
  process.prependListener('exit', handOver)
  return {
    write(line: string) {
      gathered += line
      if (gathered.length > WRITE_CHARACTERS) handOver()
      else timer ??= setTimeout(handOver, WRITE_MS).unref()
    },
    flush(done: () => void) {
      handOver()
      output.flush(done)
    },
  }
}

const FLUSH_MS = 1_000

/**
 * Waits until the last lines are out, or have nowhere to go. To be done before an exit: what is left by then is written
 * again and again for as long as that fails, which is for ever when nobody reads our output any more.
 */
export const flushLog = (log: Logger): Promise<void> =>
  Promise.race([new Promise<void>((done) => log.flush(() => done())), pause(FLUSH_MS)])

/** What later handlers find in the context. */
export interface RequestEnv {
  Variables: RequestIdVariables
}

/** Gives each request an id, sent back as X-Request-Id, so that a report can be found in the log. */
export const withRequestId = () => requestId({ limitLength: 64 })

interface Answered {
  requestId: string
  method: string
  path: string
  status: number
  /** By performance.now(). */
  started: number
}

/** Writes one line for each answered request. */
export type LogAnswer = (answer: Answered) => void

/** The line holds never the query, headers or bodies, where secrets could stand, and is not searched for any. */
export function logAnswersIn(log: Logger): LogAnswer {
  const plain = log.child({}, { redact: [] })
  return ({ started, ...facts }) => {
    const ms = Math.round((performance.now() - started) * 10) / 10
    const isRoutine = /^\/(assets|healthz|readyz)/.test(facts.path)
    plain[facts.status >= 500 ? 'error' : isRoutine ? 'debug' : 'info']({ ...facts, ms }, 'request')
  }
}

/** Writes the log, and the request's id on each answer. */
export const requestLog = (logAnswer: LogAnswer): MiddlewareHandler<RequestEnv> =>
  async function requestLog(c, next) {
    const started = performance.now()
    await next()
    const { requestId } = c.var
    // Again, because an answer that a handler made by itself does not carry what was set before.
    c.res.headers.set('x-request-id', requestId)
    const { method, path } = c.req
    logAnswer({ requestId, method, path, status: c.res.status, started })
  }
