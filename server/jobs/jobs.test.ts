import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { openJobs } from './open.ts'
import {
  type Job,
  type JobHandler,
  type Jobs,
  PermanentFailure,
  Postponed,
  type QueueOptions,
} from './port.ts'

const log = pino({ level: 'silent' })
const quick: QueueOptions = {
  retryLimit: 2,
  retryDelay: 1,
  retryDelayMax: 1,
  expireInSeconds: 10,
  keepFailedSeconds: 3600,
}
const within = { timeout: 15_000, interval: 20 }

let db: Database
const started: Jobs[] = []

beforeEach(async () => {
  db = await openTestDatabase()
})

afterEach(async () => {
  await Promise.all(started.splice(0).map((jobs) => jobs.stop()))
  await db.close()
})

/** A process of the service that works on the queue `greet`. */
async function startJobs(handler: JobHandler, options = quick): Promise<Jobs> {
  const jobs = openJobs(db, log)
  jobs.handle('greet', options, handler)
  await jobs.start()
  started.push(jobs)
  return jobs
}

const enqueue = (jobs: Jobs, name: string) => db.asOwner('test', (tx) => jobs.enqueue(tx, 'greet', { name }))

const storedJobs = () =>
  db.asOwner('test', async (tx) => {
    const { rows } = await tx.query<{ state: string; data: unknown; output: unknown }>(
      `select state, data, output from pgboss.job where name = 'greet'`,
    )
    return rows
  })

describe('a job', () => {
  it('runs soon after the commit of the transaction that wrote it, and leaves nothing behind', async () => {
    const done: unknown[] = []
    const jobs = await startJobs(async ({ data }) => void done.push(data))
    const asked = performance.now()
    await enqueue(jobs, 'Ada')
    await vi.waitFor(() => expect(done).toEqual([{ name: 'Ada' }]), within)
    // Woken, not polled: a poll would come up to five seconds later.
    expect(performance.now() - asked).toBeLessThan(2000)
    await vi.waitFor(async () => expect(await storedJobs()).toEqual([]), within)
  })

  it('is not there when the transaction is rolled back', async () => {
    const handler = vi.fn(async () => undefined)
    const jobs = await startJobs(handler)
    const undone = db.asOwner('test', async (tx) => {
      await jobs.enqueue(tx, 'greet', { name: 'nobody' })
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect(await storedJobs()).toEqual([])
    await enqueue(jobs, 'Ada')
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(1), within)
  })

  it('runs once, however many processes work on its queue', async () => {
    const done: string[] = []
    const handler = async ({ data }: Job) => {
      done.push(String(data.name))
      await pause(20)
    }
    const [jobs] = await Promise.all([startJobs(handler), startJobs(handler), startJobs(handler)])
    const names = Array.from({ length: 30 }, (_, i) => `person ${i}`)
    await Promise.all(names.map((name) => enqueue(jobs, name)))
    await vi.waitFor(() => expect(done.length).toBeGreaterThanOrEqual(names.length), within)
    await vi.waitFor(async () => expect(await storedJobs()).toEqual([]), within)
    expect(done.toSorted()).toEqual(names.toSorted())
  })

  it('is tried again, and kept with the reason when it is given up', async () => {
    const handler = vi.fn(async () => {
      throw new Error('nobody is at home', { cause: { password: 'hidden' } })
    })
    const jobs = await startJobs(handler)
    await enqueue(jobs, 'Ada')
    await vi.waitFor(
      async () =>
        expect(await storedJobs()).toEqual([
          { state: 'failed', data: { name: 'Ada' }, output: { message: 'nobody is at home' } },
        ]),
      { timeout: 40_000, interval: 100 },
    )
    expect(handler).toHaveBeenCalledTimes(3)
  }, 60_000)

  it('is given up at once when trying again cannot help', async () => {
    const handler = vi.fn(async () => {
      throw new PermanentFailure('moved away')
    })
    const jobs = await startJobs(handler)
    await enqueue(jobs, 'Ada')
    await vi.waitFor(async () => expect((await storedJobs())[0]?.state).toBe('failed'), within)
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('waits when it is postponed, which is no failure', async () => {
    const counts: number[] = []
    const jobs = await startJobs(async ({ retryCount }) => {
      counts.push(retryCount)
      if (counts.length < 4) throw new Postponed('not now', 1)
    })
    await enqueue(jobs, 'Ada')
    await vi.waitFor(() => expect(counts).toEqual([0, 0, 0, 0]), { timeout: 40_000, interval: 100 })
    await vi.waitFor(async () => expect(await storedJobs()).toEqual([]), within)
  }, 60_000)

  it('waits for a process to come, and one that stops finishes what it has begun', async () => {
    const done: unknown[] = []
    const first = await startJobs(async ({ data }) => {
      await pause(500)
      done.push(data)
    })
    await enqueue(first, 'begun')
    await vi.waitFor(async () => expect((await storedJobs())[0]?.state).toBe('active'), within)
    await first.stop()
    expect(done).toEqual([{ name: 'begun' }])

    // What was written meanwhile, by a process that then died, is the next one's.
    await enqueue(first, 'left')
    await startJobs(async ({ data }) => void done.push(data))
    await vi.waitFor(() => expect(done).toEqual([{ name: 'begun' }, { name: 'left' }]), within)
  })

  it('is refused where nobody would work on it', async () => {
    const jobs = await startJobs(async () => undefined)
    await expect(db.asOwner('test', (tx) => jobs.enqueue(tx, 'nowhere', {}))).rejects.toThrow(
      'Nobody works on the queue nowhere',
    )
  })
})

describe('a schedule', () => {
  it('is kept by the database, and forgotten when the code no longer has it', async () => {
    const schedules = () =>
      db.asOwner('test', async (tx) => {
        const { rows } = await tx.query<{ name: string; cron: string; timezone: string }>(
          'select name, cron, timezone from pgboss.schedule',
        )
        return rows
      })
    const jobs = openJobs(db, log)
    jobs.schedule('tidy', { cron: '30 3 * * *', timeZone: 'Europe/Vienna' }, async () => undefined)
    await jobs.start()
    expect(await schedules()).toEqual([{ name: 'tidy', cron: '30 3 * * *', timezone: 'Europe/Vienna' }])
    await jobs.stop()
    await startJobs(async () => undefined)
    expect(await schedules()).toEqual([])
  })
})
