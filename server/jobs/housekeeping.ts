import type { Logger } from 'pino'
import type { Jobs } from './port.ts'

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
