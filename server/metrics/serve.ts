import { createServer } from 'node:http'
import { AggregatorRegistry, Gauge, type Registry } from 'prom-client'
import { SetupError } from '#server/config/env.ts'
import type { Database, PoolUsage, Transaction } from '#server/database/port.ts'

/** How to read all metrics of this process, or of all its workers. */
interface Source {
  contentType: string
  read(): Promise<string>
}

/** The workers' metrics together: sums of what they count, and the largest of what they all read. */
export function metricsOfWorkers(): Source {
  const registry = new AggregatorRegistry()
  return { contentType: registry.contentType, read: () => registry.clusterMetrics() }
}

/**
 * Serves `GET /metrics` to this machine alone: what stands there is nobody else's business, and Prometheus, or an agent
 * of it, runs beside us. Returns how to end it. Errors: SetupError for a port that is taken.
 */
export async function serveMetrics(
  port: number,
  { contentType, read }: Source,
): Promise<() => Promise<void>> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end('Only GET /metrics is here.\n')
      return
    }
    const text = await read().catch(() => undefined)
    if (text === undefined) response.writeHead(503).end('No figures at the moment.\n')
    else response.writeHead(200, { 'content-type': contentType }).end(text)
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (cause: NodeJS.ErrnoException) => {
    const isTaken = cause.code === 'EADDRINUSE'
    reject(
      isTaken ? new SetupError(`Port ${port} is taken. Set METRICS_PORT to another one.`, { cause }) : cause,
    )
  })
  server.listen(port, '127.0.0.1', resolve)
  await promise
  return async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
}

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

interface Options {
  db: Database
  /** The queue that mails go through. */
  emailQueue: string
}

/** Reads all figures in one transaction. Errors: DatabaseUnavailable. */
export const readFigures = ({ db, emailQueue }: Options): Promise<ServiceFigures> =>
  db.asOwner('metrics', async (tx) => ({
    pool: db.usage(),
    database: await readDatabase(tx),
    jobs: await readJobs(tx),
    mail: await readMail(tx, emailQueue),
    backup: await readBackup(tx),
  }))

async function readDatabase(tx: Transaction): Promise<ServiceFigures['database']> {
  const { rows } = await tx.query<{ bytes: number; connections: number }>(
    `select pg_database_size(current_database())::float8 as bytes,
       (select count(*)::int from pg_stat_activity where datname = current_database()) as connections`,
  )
  return rows[0]
}

async function readJobs(tx: Transaction): Promise<NonNullable<ServiceFigures['jobs']>> {
  const { rows } = await tx.query<{ queue: string; state: string; count: number }>(
    'select name as queue, state::text as state, count(*)::int as count from pgboss.job group by 1, 2',
  )
  return rows
}

async function readMail(tx: Transaction, queue: string): Promise<ServiceFigures['mail']> {
  const { rows } = await tx.query<NonNullable<ServiceFigures['mail']>>(
    `select count(*) filter (where state < 'completed')::int as waiting,
       count(*) filter (where state = 'failed')::int as failed,
       coalesce(extract(epoch from now() - min(created_on) filter (where state < 'completed')), 0)::float8
         as "oldestWaitingSeconds"
     from pgboss.job where name = $1`,
    [queue],
  )
  return rows[0]
}

/** `checked` is as good as `verified` where a second database cannot be run. */
async function readBackup(tx: Transaction): Promise<ServiceFigures['backup']> {
  const { rows } = await tx.query<{ age: number | null; failed: boolean | null }>(
    `select extract(epoch from now() - max(ended_at) filter (where outcome in ('verified', 'checked')))::float8 as age,
       (select outcome = 'failed' from public.backup_runs where outcome <> 'running'
        order by started_at desc limit 1) as failed
     from public.backup_runs`,
  )
  return { verifiedAgeSeconds: rows[0]?.age ?? undefined, lastFailed: rows[0]?.failed ?? false }
}
