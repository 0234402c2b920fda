import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { type Database, DatabaseUnavailable } from '#server/database/port.ts'
import { openJobs } from '#server/jobs/open.ts'
import type { Jobs } from '#server/jobs/port.ts'

interface OwnJobs extends Jobs {
  /** Resolves when nothing is due or under way; what has failed and waits for its next attempt does not count. */
  settled(): Promise<void>
}

const WITHIN_MS = 20_000

/**
 * Jobs of one service of several in the same database: its queues are its own, so that none sends what another was
 * asked for. They stop when the database is closed.
 */
export async function openOwnJobs(db: Database): Promise<OwnJobs> {
  const jobs = openJobs(db, pino({ level: 'silent' }))
  const own = randomUUID()
  const nameOf = (queue: string) => `${own}.${queue}`
  const close = db.close
  db.close = async () => {
    await jobs.stop()
    await close()
  }
  return {
    ...jobs,
    enqueue: (tx, queue, data, options) => jobs.enqueue(tx, nameOf(queue), data, options),
    handle: (queue, options, handler) => jobs.handle(nameOf(queue), options, handler),
    async settled() {
      const deadline = Date.now() + WITHIN_MS
      while (await hasDueJobs(db, own)) {
        if (Date.now() > deadline) throw new Error('The jobs do not come to an end')
        await pause(5)
      }
    },
  }
}

const hasDueJobs = async (db: Database, own: string): Promise<boolean> => {
  const due = db.asOwner('due jobs', async (tx) => {
    const { affected } = await tx.query(
      `select from pgboss.job where starts_with(name, $1) and state in ('created', 'active') and start_after <= now()`,
      [own],
    )
    return affected > 0
  })
  // Some tests are about a database that is away.
  return due.catch((error) => {
    if (error instanceof DatabaseUnavailable) return false
    throw error
  })
}
