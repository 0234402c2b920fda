import type { Transaction } from '#server/database/port.ts'

/** What a job is about: plain JSON. It lies readable in the database, so it never holds a secret. */
export type JobData = Readonly<Record<string, unknown>>

/** How a queue treats its jobs. */
export interface QueueOptions {
  /** How many jobs of it one process works on at once. */
  concurrency?: number
  /** How often a job that failed is tried again before it is given up; 0: never. */
  retryLimit: number
  /** Seconds before the first retry; each further pause is about twice as long. */
  retryDelay: number
  /** Seconds that a pause between retries lasts at most. */
  retryDelayMax: number
  /** Seconds after which an attempt that nobody has ended (its process was killed) counts as failed. */
  expireInSeconds: number
  /** Seconds for which a job that was given up stays to be looked at. One that succeeded is gone at once. */
  keepFailedSeconds: number
}

/** One attempt at a job. */
export interface Job {
  id: string
  data: JobData
  /** 0 at the first attempt. */
  retryCount: number
  /** Aborted when the time of the attempt is over, and when the service stops without waiting any longer. */
  signal: AbortSignal
}

export type JobHandler = (job: Job) => Promise<void>

/** A job at fixed times, run by one of the processes that are there. */
export interface Schedule {
  /** Five fields, as crontab(5) has them. */
  cron: string
  /** IANA name; UTC unless given. */
  timeZone?: string
  /** Seconds after which an attempt counts as failed: one hour unless given. */
  expireInSeconds?: number
}

export interface EnqueueOptions {
  /** Higher numbers go first; 0 unless given. */
  priority?: number
}

/**
 * Work that outlives the request which causes it. A job exists from the commit of the transaction that wrote it, is
 * worked on by one process at a time, and survives the end of any of them: an attempt that was cut off is made again,
 * so handlers must bear being called twice.
 */
export interface Jobs {
  /** Writes a job in the caller's transaction. Returns its id. Errors: TypeError for a queue without handler. */
  enqueue(tx: Transaction, queue: string, data: JobData, options?: EnqueueOptions): Promise<string>
  /** Says who works on a queue; before `start`. What the handler throws is the reason that admins are shown. */
  handle(queue: string, options: QueueOptions, handler: JobHandler): void
  /**
   * Runs a handler at fixed times; before `start`. A time that passed while no process was there is made up for once.
   * The name is the job's in logs and figures.
   */
  schedule(name: string, schedule: Schedule, handler: JobHandler): void
  /** Makes the queues and begins to work. Errors: DatabaseUnavailable. */
  start(): Promise<void>
  /** Takes no further job, waits for those under way (some seconds at most), and ends. */
  stop(): Promise<void>
}

/** Trying again cannot help: the job is given up at once. */
export class PermanentFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'PermanentFailure'
  }
}

/** Not now, through nobody's fault: the job waits, and this attempt is not counted among its failures. */
export class Postponed extends Error {
  readonly seconds: number

  constructor(message: string, seconds: number) {
    super(message)
    this.name = 'Postponed'
    this.seconds = seconds
  }
}

/** Where pg-boss keeps its tables. Nobody but the database's owner may enter it. */
export const SCHEMA = 'pgboss'
