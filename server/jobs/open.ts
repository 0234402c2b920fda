import {
  getConstructionPlans,
  getMigrationPlans,
  type JobResult,
  PgBoss,
  type Job as PgBossJob,
  type QueueOptions as PgBossQueue,
} from 'pg-boss'
import type { Logger } from 'pino'
import type { Database, Transaction, Value } from '#server/database/port.ts'
import { takeRestoredJobs } from './housekeeping.ts'
import {
  type EnqueueOptions,
  type JobData,
  type JobHandler,
  type Jobs,
  PermanentFailure,
  Postponed,
  type QueueOptions,
  SCHEMA,
  type Schedule,
} from './port.ts'

/** A NOTIFY wakes the workers as soon as a job is committed; this is for retries that have come due. */
const POLL_SECONDS = 5
/** Where notifications do not come through (a pooler in transaction mode), a mail waits so long at most. */
const POLL_WITHOUT_NOTIFY_SECONDS = 2
/** How often attempts that were cut off are looked for, and what is over is removed. */
const SUPERVISE_SECONDS = 30
const STOP_WITHIN_MS = 10_000
const DAY_SECONDS = 86_400

/** Jobs that one worker takes at once. More than one lets it go on without a pause while more are waiting. */
const BATCH_SIZE = 4

interface Handled {
  options: QueueOptions
  handler: JobHandler
  schedule?: Schedule
}

/** Jobs in tables of the same database, which must be migrated. */
export function openJobs(db: Database, log: Logger): Jobs {
  const queues = new Map<string, Handled>()
  const boss = new PgBoss({
    schema: SCHEMA,
    db: {
      executeSql: (text, values) => db.asOwner('jobs', (tx) => execute(tx, text, values)),
      listen: async (channel, onPayload, onGap) => ({ close: await db.listen(channel, onPayload, onGap) }),
    },
    // `migrate()` of the database has done it.
    migrate: false,
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    flowIntervalSeconds: DAY_SECONDS,
    registerInstance: false,
    reindex: false,
    openTelemetry: { enabled: false },
  })
  boss.on('error', (error) => log.warn({ err: error }, 'jobs'))
  boss.on('warning', (warning) => log.warn({ warning }, 'jobs'))

  return {
    async enqueue(tx, queue, data, options = {}) {
      if (!queues.has(queue)) throw new TypeError(`Nobody works on the queue ${queue}`)
      return send(boss, tx, queue, data, options)
    },
    handle(queue, options, handler) {
      queues.set(queue, { options, handler })
    },
    schedule(name, schedule, handler) {
      queues.set(name, { options: scheduledOptions(schedule), handler, schedule })
    },
    async start() {
      await boss.start()
      for (const [name, handled] of queues) await makeQueue(boss, name, handled)
      await dropOldSchedules(boss, queues)
      await enqueueRestored(db, boss, [...queues.keys()])
      for (const [name, { options, handler }] of queues) {
        await boss.work<JobData, JobResult[], WorkOptions>(name, workOptions(options), (batch) =>
          Promise.all(batch.map((job) => attempt({ db, boss, log, name, handler }, job))),
        )
      }
    },
    stop: () => boss.stop({ graceful: true, timeout: STOP_WITHIN_MS, close: false }),
  }
}

type WorkOptions = ReturnType<typeof workOptions>

const workOptions = ({ concurrency = 1 }: QueueOptions) => ({
  localConcurrency: concurrency,
  batchSize: BATCH_SIZE,
  burstWhenBatchFull: true,
  perJobResults: true as const,
  pollingIntervalSeconds: POLL_WITHOUT_NOTIFY_SECONDS,
  notifyPollingIntervalSeconds: POLL_SECONDS,
})

/** A job at fixed times is tried again soon, and not for ever: its next time comes. */
const scheduledOptions = ({ expireInSeconds = 3600 }: Schedule): QueueOptions => ({
  retryLimit: 2,
  retryDelay: 60,
  retryDelayMax: 600,
  expireInSeconds,
  keepFailedSeconds: 30 * DAY_SECONDS,
})

async function makeQueue(boss: PgBoss, name: string, { options, schedule }: Handled): Promise<void> {
  const wanted: PgBossQueue & { notify: boolean } = {
    notify: true,
    retryLimit: options.retryLimit,
    retryDelay: options.retryDelay,
    retryDelayMax: options.retryDelayMax,
    retryBackoff: true,
    expireInSeconds: options.expireInSeconds,
    deleteAfterSeconds: options.keepFailedSeconds,
  }
  if (await boss.getQueue(name)) await boss.updateQueue(name, wanted)
  // Two nightly jobs of a kind never run side by side, even if the first one takes a day.
  else await boss.createQueue(name, { ...wanted, ...(schedule && { policy: 'stately' }) })
  if (!schedule) return
  await boss.schedule(name, schedule.cron, null, { tz: schedule.timeZone ?? 'UTC', missed: 'once' })
}

/** What an earlier version, or an earlier setting, had at fixed times. */
async function dropOldSchedules(boss: PgBoss, queues: ReadonlyMap<string, Handled>): Promise<void> {
  for (const { name } of await boss.getSchedules()) {
    if (!queues.get(name)?.schedule) await boss.unschedule(name)
  }
}

/** What waited when the backup was made that this database was restored from. */
const enqueueRestored = (db: Database, boss: PgBoss, queues: readonly string[]): Promise<void> =>
  db.asOwner('jobs of a restored backup', async (tx) => {
    for (const { queue, data, priority, startAfter } of await takeRestoredJobs(tx, queues)) {
      await send(boss, tx, queue, data, { priority, startAfter: new Date(startAfter) })
    }
  })

interface Attempt {
  db: Database
  boss: PgBoss
  log: Logger
  name: string
  handler: JobHandler
}

/** Calls the handler, and says what becomes of the job. One that succeeded leaves nothing behind. */
async function attempt(
  { db, boss, log, name, handler }: Attempt,
  job: PgBossJob<JobData>,
): Promise<JobResult> {
  const { id, data, retryCount, signal } = job
  const about = { queue: name, job: id, retryCount }
  try {
    await handler({ id, data, retryCount, signal })
    await boss.deleteJob(name, job)
    return { id, status: 'completed' }
  } catch (error) {
    // The library would keep the whole error, stack and causes included; admins are shown what it says.
    const output = { message: error instanceof Error ? error.message : String(error) }
    if (error instanceof Postponed) {
      log.info({ ...about, reason: output.message, seconds: error.seconds }, 'job postponed')
      await db.asOwner('postpone a job', async (tx) => {
        await send(boss, tx, name, data, { startAfter: error.seconds })
        await boss.deleteJob(name, job, { db: { executeSql: (text, values) => execute(tx, text, values) } })
      })
      return { id, status: 'completed' }
    }
    const isPermanent = error instanceof PermanentFailure
    log[isPermanent ? 'error' : 'warn']({ ...about, err: error }, 'job failed')
    return { id, status: isPermanent ? 'deadletter' : 'failed', output }
  }
}

async function send(
  boss: PgBoss,
  tx: Transaction,
  queue: string,
  data: JobData,
  options: EnqueueOptions & { startAfter?: number | Date },
): Promise<string> {
  const id = await boss.send(queue, data, {
    ...options,
    db: { executeSql: (text, values) => execute(tx, text, values) },
  })
  if (!id) throw new Error(`The queue ${queue} did not take the job`)
  return id
}

/** The library's statements over our port. It gives arrays and objects, which `pg` writes as PostgreSQL reads them. */
async function execute(tx: Transaction, text: string, values?: unknown[]) {
  if (values) return { rows: (await tx.query(text, values as Value[])).rows }
  if (!/^\s*BEGIN;/.test(text)) return { rows: (await tx.query(text)).rows }
  await tx.script(text.replace(/^\s*BEGIN;/, '').replace(/COMMIT;\s*$/, ''))
  return { rows: [] }
}

/**
 * Brings the queue's own tables to the version of the library, inside the caller's transaction, so that they come and
 * go with the other migrations, and template databases hold them. Processes that start together take turns.
 */
export async function installJobs(tx: Transaction): Promise<void> {
  const version = await installedVersion(tx)
  const newest = newestVersion()
  if (version === undefined) return tx.script(withinTransaction(getConstructionPlans(SCHEMA)))
  if (version < newest) await tx.script(withinTransaction(getMigrationPlans(SCHEMA, version)))
}

async function installedVersion(tx: Transaction): Promise<number | undefined> {
  const { rows } = await tx.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${SCHEMA}.version`,
  ])
  if (!rows[0]?.there) return undefined
  return (await tx.query<{ version: number }>(`select version from ${SCHEMA}.version`)).rows[0]?.version
}

/** The last statement of a new installation says which version it is; the library exports it nowhere else. */
function newestVersion(): number {
  const found = /insert into \S*version\(version\) values \('(\d+)'\)/i.exec(getConstructionPlans(SCHEMA))
  if (!found) throw new Error('pg-boss no longer says which version its tables have')
  return Number(found[1])
}

/** The library's scripts open and commit a transaction of their own; ours is open already. */
const withinTransaction = (script: string): string =>
  script.replace(/^\s*BEGIN;/, '').replace(/COMMIT;\s*$/, '')
