import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import type { SmsSender as SmsConfig } from '#server/config/sms.ts'
import type { Database, Transaction } from '#server/database/port.ts'
import { type Job, type Jobs, PermanentFailure, Postponed, type QueueOptions } from '#server/jobs/port.ts'
import type { Limits } from './rate-limits.ts'
import type { Secrets } from './secrets.ts'
import { findUser } from './users/queries.ts'
import { type RenderedUser, renderUser, type UserRow } from './users/user.ts'

/** One text message with a code. */
export interface Sms {
  /** Digits of the number, without the plus. */
  phone: string
  code: string
  channel: 'sms' | 'whatsapp'
  /** For hooks, which choose by it. */
  user: RenderedUser
}

/** Where text messages leave the house. */
export interface SmsSender {
  /** How /settings names it. */
  readonly name: string
  /** The provider's own id for the message, where it has one. Errors: SmsNotSent. */
  send(sms: Sms): Promise<{ messageId?: string }>
}

/** The provider did not take the message; the cause stays in the log. */
class SmsNotSent extends Error {
  constructor(cause: unknown) {
    super('The provider did not take the text message', { cause })
    this.name = 'SmsNotSent'
  }
}

/** What people read on their phone. */
const smsText = (code: string): string => `Your Walking Together code is ${code}`

/** What sending needs of the account service. */
interface SmsServices {
  db: Database
  jobs: Jobs
  sms: SmsSender
  settings: { testOtps: ReadonlyMap<string, string> }
  secrets: Secrets
  limits: Limits
  log: Logger
  /** Milliseconds since 1970. */
  now: () => number
}

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
  { jobs, settings, now }: Pick<SmsServices, 'jobs' | 'settings' | 'now'>,
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
export function handleSms(services: SmsServices): void {
  services.jobs.handle(SMS_QUEUE, smsQueue, async (job) => sendSms(services, job))
}

/** Errors: SmsNotSent, to be tried again; PermanentFailure once it is too late; Postponed while too many are under way. */
async function sendSms(services: SmsServices, { id, data }: Job): Promise<void> {
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

/** The sender that the configuration names; the outbox stands in the data folder. */
export function openSms(config: SmsConfig, dataDir: string, log: Logger): SmsSender {
  if (config.kind === 'hook') return openSmsHook(config)
  return config.kind === 'twilio' ? openTwilio(config) : openSmsOutbox(join(dataDir, 'outbox'), log)
}

/** Without a provider: each message becomes a text file beside the mails. The log says where. */
const openSmsOutbox = (folder: string, log: Logger): SmsSender => ({
  name: 'outbox',
  async send({ phone, code }) {
    const messageId = randomUUID()
    const file = join(
      folder,
      `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-sms-${messageId.slice(0, 8)}.txt`,
    )
    try {
      await mkdir(folder, { recursive: true })
      await writeFile(file, `To: +${phone}\n\n${smsText(code)}\n`, { mode: 0o600, flag: 'wx' })
    } catch (error) {
      throw new SmsNotSent(error)
    }
    log.info({ file }, 'no SMS provider is set: text message written to the outbox')
    return { messageId }
  },
})

const HOOK_PATIENCE_MS = 5_000

interface Hook {
  url: string
  /** `whsec_…`: one, or more while a secret is being changed. None: unsigned. */
  secrets: readonly string[]
}

/**
 * A program of the owner's that sends: it gets `{user, sms: {otp, phone}}`, as Supabase's send-SMS hook does, signed by
 * the rules of standardwebhooks.com, so that nobody else can have it send codes of their own.
 */
export function openSmsHook({ url, secrets }: Hook): SmsSender {
  const signers = secrets.map((secret) => new Webhook(secret))
  return {
    name: 'hook',
    async send({ phone, code, user }) {
      const body = JSON.stringify({ user, sms: { otp: code, phone } })
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...signed(signers, body) },
          body,
          redirect: 'error',
          signal: AbortSignal.timeout(HOOK_PATIENCE_MS),
        })
        if (!response.ok) throw new Error(`The SMS hook answered ${response.status}`)
        return {}
      } catch (error) {
        throw new SmsNotSent(error)
      }
    },
  }
}

function signed(signers: readonly Webhook[], body: string): Record<string, string> {
  if (signers.length === 0) return {}
  const [id, at] = [`msg_${randomUUID()}`, new Date()]
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signers.map((signer) => signer.sign(id, at, body)).join(' '),
  }
}

interface TwilioConfig {
  accountSid: string
  authToken: string
  /** A number of ours, or the id of a messaging service (MG…). */
  from: string
  /** In place of Twilio's own address; tests let a server of theirs answer. */
  url?: string
}

const TWILIO_PATIENCE_MS = 10_000
const Answer = z.object({ sid: z.string() })

/** Twilio's REST API, which is one POST. */
export function openTwilio({
  accountSid,
  authToken,
  from,
  url = 'https://api.twilio.com',
}: TwilioConfig): SmsSender {
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
  const sender = from.startsWith('MG') ? 'MessagingServiceSid' : 'From'
  return {
    name: 'twilio',
    async send({ phone, code, channel }) {
      const prefix = channel === 'whatsapp' ? 'whatsapp:' : ''
      const isNumber = sender === 'From'
      const body = new URLSearchParams({
        To: `${prefix}+${phone}`,
        [sender]: isNumber ? `${prefix}${from}` : from,
        Body: smsText(code),
      })
      try {
        const response = await fetch(`${url}/2010-04-01/Accounts/${accountSid}/Messages.json`, {
          method: 'POST',
          headers: { Authorization: `Basic ${credentials}` },
          body,
          signal: AbortSignal.timeout(TWILIO_PATIENCE_MS),
        })
        if (!response.ok) throw new Error(`Twilio answered ${response.status}: ${await response.text()}`)
        return { messageId: Answer.parse(await response.json()).sid }
      } catch (error) {
        throw new SmsNotSent(error)
      }
    },
  }
}
