import type { Transaction } from '#server/database/port.ts'
import { SCHEMA } from './install.ts'
import type { JobData } from './port.ts'

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
