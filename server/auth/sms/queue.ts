import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { type Job, PermanentFailure, Postponed, type QueueOptions } from '#server/jobs/port.ts'
import type { Services } from '../context.ts'
import { findUser } from '../users/queries.ts'
import { renderUser, type UserRow } from '../users/user.ts'

const SMS_QUEUE = 'sms'
/** A code that comes later than this is worth nothing: whoever waited for it has asked for another, or has gone. */
const USELESS_AFTER_MS = 300_000

/** Pauses of two to thirty seconds, for about three minutes. */
const smsQueue: QueueOptions = {
  concurrency: 2,
  retryLimit: 8,
  retryDelay: 2,
  retryDelayMax: 30,
  expireInSeconds: 30,
  keepFailedSeconds: 7 * 86_400,
}

const SmsJob = z.object({
  phone: z.string(),
  channel: z.enum(['sms', 'whatsapp']),
  userId: z.string(),
  /** Id of the one-time token or the challenge that the code belongs to; the code follows from it, for those who have the key. */
  codeId: z.string(),
  at: z.string(),
})

interface CodeMessage {
  phone: string
  channel: 'sms' | 'whatsapp'
  user: Pick<UserRow, 'id'>
  codeId: string
}

/**
 * A text message with the code of a token or challenge, sent when the transaction is over. Returns the message's id;
 * none for test numbers, whose code is agreed on.
 */
export async function enqueueSms(
  tx: Transaction,
  { jobs, settings, now }: Pick<Services, 'jobs' | 'settings' | 'now'>,
  { phone, channel, user, codeId }: CodeMessage,
): Promise<{ messageId?: string }> {
  if (settings.testOtps.has(phone)) return {}
  const job: z.output<typeof SmsJob> = {
    phone,
    channel,
    userId: user.id,
    codeId,
    at: new Date(now()).toISOString(),
  }
  return { messageId: await jobs.enqueue(tx, SMS_QUEUE, job) }
}

/** Makes this process one of those that send. */
export function handleSms(services: Services): void {
  services.jobs.handle(SMS_QUEUE, smsQueue, async (job) => sendSms(services, job))
}

/** Errors: SmsNotSent, to be tried again; PermanentFailure once it is too late; Postponed while too many are under way. */
async function sendSms(services: Services, { id, data }: Job): Promise<void> {
  const { db, sms, secrets, limits, log, now } = services
  const { phone, channel, userId, codeId, at } = SmsJob.parse(data)
  if (Date.parse(at) + USELESS_AFTER_MS < now())
    throw new PermanentFailure('Too late: the code would be worth nothing')
  const wait = await limits.takeFromBudget('sms')
  if (wait > 0) throw new Postponed('More messages than AUTH_RATE_LIMIT_SMS_SENT allows in an hour', wait)
  const user = await db.asOwner('user of a text message', async (tx) =>
    (await isStillAsked(tx, codeId)) ? findUser(tx, { id: userId }) : undefined,
  )
  if (!user) {
    log.info({ job: id }, 'text message not sent: its code was used, replaced or withdrawn meanwhile')
    return
  }
  await sms.send({ phone, channel, code: secrets.code(codeId), user: renderUser(user) })
}

async function isStillAsked(tx: Transaction, codeId: string): Promise<boolean> {
  const { affected } = await tx.query(
    `select from auth.one_time_tokens where id = $1 union all select from auth.mfa_challenges where id = $1`,
    [codeId],
  )
  return affected > 0
}
