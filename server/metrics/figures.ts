import { Gauge, type Registry } from 'prom-client'
import type { PoolUsage } from '#server/database/port.ts'

/** What stands in the database, and how the connections to it are used. What is undefined is not known here. */
export interface ServiceFigures {
  pool?: PoolUsage
  database?: { bytes: number; connections: number }
  /** Jobs in each queue, by state as pg-boss calls it. */
  jobs?: ReadonlyArray<{ queue: string; state: string; count: number }>
  mail?: { waiting: number; failed: number; oldestWaitingSeconds: number }
  backup?: { verifiedAgeSeconds: number | undefined; lastFailed: boolean }
}

/** A scrape must not wait longer than Prometheus does. */
const READ_WITHIN_MS = 4_000
/** All gauges of a scrape ask at the same moment, and share an answer. */
const SHARED_FOR_MS = 500

interface Definition {
  name: string
  help: string
  labelNames?: string[]
  aggregator?: 'max' | 'min' | 'sum'
}

/**
 * Registers gauges that are read anew for each scrape. Several workers all read the same database: the largest value is
 * shown, except for what each has of its own.
 */
export function registerFigures(registry: Registry, read: () => Promise<ServiceFigures>): void {
  const latest = shared(read)
  const gauge = (definition: Definition, show: (gauge: Gauge, found: ServiceFigures | undefined) => void) =>
    new Gauge({
      aggregator: 'max',
      ...definition,
      registers: [registry],
      async collect() {
        const found = await latest()
        this.reset()
        show(this, found)
      },
    })
  const single = (name: string, help: string, value: (found: ServiceFigures) => number | undefined) =>
    gauge({ name, help }, (it, found) => {
      const shown = found && value(found)
      if (shown === undefined) it.remove()
      else it.set(shown)
    })

  gauge({ name: 'database_up', help: '1 when the database answers', aggregator: 'min' }, (it, found) =>
    it.set(found ? 1 : 0),
  )
  const pool = {
    name: 'database_pool',
    help: 'Connections of the pool, and who waits for one',
    labelNames: ['state'],
  }
  gauge({ ...pool, aggregator: 'sum' }, (it, found) => {
    for (const [state, count] of Object.entries(found?.pool ?? {})) it.set({ state }, count)
  })
  gauge({ name: 'jobs', help: 'Jobs by queue and state', labelNames: ['queue', 'state'] }, (it, found) => {
    for (const { queue, state, count } of found?.jobs ?? []) it.set({ queue, state }, count)
  })
  single('database_size_bytes', 'Size of the database on its disk', ({ database }) => database?.bytes)
  single(
    'database_connections',
    'Connections that the server has open',
    ({ database }) => database?.connections,
  )
  single('mail_waiting', 'Mails that wait to be sent', ({ mail }) => mail?.waiting)
  single('mail_failed', 'Mails that were given up and wait for an admin', ({ mail }) => mail?.failed)
  single(
    'mail_oldest_waiting_seconds',
    'Age of the mail that waits longest',
    ({ mail }) => mail?.oldestWaitingSeconds,
  )
  single(
    'backup_verified_age_seconds',
    'Age of the last backup that was verified',
    ({ backup }) => backup?.verifiedAgeSeconds,
  )
  single(
    'backup_last_failed',
    '1 when the last backup failed',
    ({ backup }) => backup && Number(backup.lastFailed),
  )
}

/** The same answer for all who ask within a moment; undefined when there is none in time. */
function shared(read: () => Promise<ServiceFigures>): () => Promise<ServiceFigures | undefined> {
  let asked: { at: number; answer: Promise<ServiceFigures | undefined> } | undefined
  return () => {
    if (!asked || performance.now() - asked.at > SHARED_FOR_MS) {
      asked = { at: performance.now(), answer: inTime(read()).catch(() => undefined) }
    }
    return asked.answer
  }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('No answer in time')), READ_WITHIN_MS)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
