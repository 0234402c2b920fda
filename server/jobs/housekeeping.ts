import type { Logger } from 'pino'
import type { Transaction } from '#server/database/port.ts'
import type { JobData, Jobs } from './port.ts'
import { SCHEMA } from './port.ts'

/** Something that is over, and how it is removed. */
export interface HousekeepingTask {
  /** What is removed, for the log: `expired one-time tokens`. */
  name: string
  /**
   * Removes it, and says how much that was. Called daily, and again after a failure or a process that was killed, so
   * doing it twice must be the same as doing it once.
   */
  run(signal: AbortSignal): Promise<number>
}

/** At night where the site's readers are asleep, and before the nightly backup. */
const DAILY = '15 3 * * *'

/**
 * Runs all tasks once a day, one after the other, in one of the processes. A task that fails keeps no other from its
 * turn; the job then counts as failed, and is tried again.
 */
export function scheduleHousekeeping(jobs: Jobs, tasks: readonly HousekeepingTask[], log: Logger): void {
  jobs.schedule('housekeeping', { cron: DAILY, timeZone: localTimeZone() }, async ({ signal }) => {
    const failed = await runTasks(tasks, signal, log)
    if (failed.length > 0) throw new Error(`Not removed: ${failed.join(', ')}`)
  })
}

/** Names of the tasks that failed. */
export async function runTasks(
  tasks: readonly HousekeepingTask[],
  signal: AbortSignal,
  log: Logger,
): Promise<string[]> {
  const failed: string[] = []
  for (const { name, run } of tasks) {
    if (signal.aborted) break
    try {
      const removed = await run(signal)
      log.info({ task: name, removed }, 'housekeeping')
    } catch (error) {
      log.error({ task: name, err: error }, 'housekeeping failed')
      failed.push(name)
    }
  }
  return failed
}

/** Where the machine is; a time that an owner sets is meant there. */
export const localTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** A job that has yet to be done, without what the library knows of it. */
export interface WaitingJob {
  queue: string
  data: JobData
  priority: number
  /** As PostgreSQL writes a time. */
  startAfter: string
}

/**
 * The jobs that are still to be done: those that wait, those whose next attempt is to come, and those under way, of which
 * nobody knows whether they will end well. What runs at fixed times comes again by itself and is left out.
 */
export async function readWaitingJobs(tx: Transaction): Promise<WaitingJob[]> {
  const { rows: tables } = await tx.query<{ there: boolean }>(
    `select to_regclass('${SCHEMA}.job') is not null and to_regclass('platform.restored_jobs') is not null as there`,
  )
  if (!tables[0]?.there) return []
  const { rows } = await tx.query<WaitingJob>(
    `select name as queue, data, priority, start_after::text as "startAfter" from ${SCHEMA}.job
     where state in ('created', 'retry', 'active') and name not like '\\_\\_pgboss%'
       and name not in (select name from ${SCHEMA}.schedule)
     union all
     select queue, data, priority, start_after::text from platform.restored_jobs
     order by "startAfter"`,
  )
  return rows
}

/** Keeps jobs of a backup until the next start of the service. */
export async function keepRestoredJobs(tx: Transaction, jobs: readonly WaitingJob[]): Promise<void> {
  await tx.query(
    `insert into platform.restored_jobs (queue, data, priority, start_after)
     select queue, data, priority, "startAfter"
     from json_to_recordset($1) as waiting (queue text, data jsonb, priority integer, "startAfter" timestamptz)`,
    [JSON.stringify(jobs)],
  )
}

/** Takes the jobs that were kept for the queues named; the caller writes them into these in the same transaction. */
export async function takeRestoredJobs(tx: Transaction, queues: readonly string[]): Promise<WaitingJob[]> {
  const { rows } = await tx.query<WaitingJob>(
    `delete from platform.restored_jobs where queue in (select json_array_elements_text($1))
     returning queue, data, priority, start_after::text as "startAfter"`,
    [JSON.stringify(queues)],
  )
  return rows
}
