import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { type Job, PermanentFailure, Postponed, type QueueOptions } from '#server/jobs/port.ts'
import { MailNotSent } from '#server/mail/mailer.ts'
import { type NoticeKind, noticeKinds } from '#server/mail/notice-emails.ts'
import { emailKinds, type TokenEmailKind } from '#server/mail/token-emails.ts'
import { nowIso, type Services } from './context.ts'
import { type IssuedToken, issueToken, type TokenType, tokenToSend } from './otp/one-time-tokens.ts'
import type { Challenge } from './secrets.ts'
import { insertFlowState } from './sessions/session-redirect.ts'
import { updateUser } from './users/queries.ts'
import type { UserRow } from './users/user.ts'

/** The queue that all mails go through. */
export const EMAIL_QUEUE = 'email'

/** About two days, with pauses that grow from two seconds to an hour; a minute for an attempt that was cut off. */
const emailQueue: QueueOptions = {
  concurrency: 2,
  retryLimit: 56,
  retryDelay: 2,
  retryDelayMax: 3600,
  expireInSeconds: 60,
  keepFailedSeconds: 30 * 86_400,
}

/** Mails that warn somebody go before those that somebody asked for. */
const NOTICE_PRIORITY = 10

/** How links call what they are for; verifyOtp takes the same words. */
export type LinkType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change'

const EmailJob = z.discriminatedUnion('about', [
  z.object({
    about: z.literal('token'),
    kind: z.enum(emailKinds),
    to: z.string(),
    /** Code and link follow from it, for those who have the key: nothing of them waits in the queue. */
    tokenId: z.string(),
    pkce: z.boolean(),
    /** Missing for codes without a link. */
    link: z.object({ type: z.string(), redirectTo: z.string() }).optional(),
    newEmail: z.string().optional(),
  }),
  z.object({
    about: z.literal('change'),
    kind: z.enum(noticeKinds),
    to: z.string(),
    at: z.string(),
    detail: z.string().optional(),
  }),
])
type EmailJob = z.output<typeof EmailJob>
type TokenEmailJob = Extract<EmailJob, { about: 'token' }>

interface TokenEmail {
  kind: TokenEmailKind
  to: string
  token: IssuedToken
  pkce: boolean
  link?: { type: LinkType; redirectTo: string }
  newEmail?: string
}

/** A mail with a code or a link, sent when the transaction is over. */
export async function enqueueEmail(
  tx: Transaction,
  { jobs }: Pick<Services, 'jobs'>,
  { token, ...email }: TokenEmail,
): Promise<void> {
  const job: EmailJob = { about: 'token', tokenId: token.id, ...email }
  await jobs.enqueue(tx, EMAIL_QUEUE, job)
}

/**
 * Tells the owner of an account by mail that a way into it was changed, in the transaction that changes it. `user` is
 * the account as it was before: a change of address is told to the old one. An address that nobody has confirmed may
 * be anybody's, and is told nothing.
 */
export async function notifyAccountChange(
  tx: Transaction,
  { jobs, now }: Pick<Services, 'jobs' | 'now'>,
  user: Pick<UserRow, 'email' | 'email_confirmed_at'>,
  kind: NoticeKind,
  /** What it is about, where the notice has a place for that: the new address, a provider's or a key's name. */
  detail?: string,
): Promise<void> {
  if (!user.email || !user.email_confirmed_at) return
  const at = nowIso({ now })
  const job: EmailJob = { about: 'change', kind, to: user.email, at, ...(detail && { detail }) }
  await jobs.enqueue(tx, EMAIL_QUEUE, job, { priority: NOTICE_PRIORITY })
}

/** A provider's name as its own people write it, nearly: `google` becomes Google. */
export const providerLabel = (provider: string): string =>
  provider === 'email' ? 'e-mail and password' : provider.charAt(0).toUpperCase() + provider.slice(1)

/** The address that a mail's button opens (protocol.md 2.5). */
export function linkFor(
  issuer: string,
  secret: string,
  { type, redirectTo }: { type: string; redirectTo: string },
) {
  return `${issuer}/verify?${new URLSearchParams({ token: secret, type, redirect_to: redirectTo })}`
}

/** Makes this process one of those that send. */
export function handleEmails(services: Services): void {
  services.jobs.handle(EMAIL_QUEUE, emailQueue, async (job) => sendEmail(services, job))
}

/** Errors: MailNotSent, to be tried again; PermanentFailure; Postponed while too many are under way. */
async function sendEmail(services: Services, { id, data }: Job): Promise<void> {
  const { limits, mailer, log } = services
  const job = EmailJob.parse(data)
  // What warns somebody is never in the queue behind what an attacker has asked for.
  const wait = job.about === 'token' ? await limits.takeFromBudget('mail') : 0
  if (wait > 0) throw new Postponed('More mails than AUTH_RATE_LIMIT_EMAIL_SENT allows in an hour', wait)
  const email = await writtenEmail(services, job)
  if (!email) {
    log.info({ job: id, kind: job.kind }, 'mail not sent: its link was used, replaced or withdrawn meanwhile')
    return
  }
  await mailer.sendEmail(email).catch((error) => {
    throw error instanceof MailNotSent && error.isPermanent
      ? new PermanentFailure(error.message, error)
      : error
  })
}

/** Loaded with the first mail: the templates bring React. */
const templates = () => import('#server/mail/write-email.ts')

async function writtenEmail(services: Services, job: EmailJob) {
  const { siteUrl } = services.settings
  if (job.about === 'token') return writtenTokenEmail(services, job)
  const { writeNotice } = await templates()
  return writeNotice({ kind: job.kind, to: job.to, at: job.at, siteUrl, detail: job.detail })
}

async function writtenTokenEmail(services: Services, job: TokenEmailJob) {
  const { db, settings } = services
  const { kind, to, tokenId, pkce, link, newEmail } = job
  const token = await db.asOwner('token of a mail', (tx) => tokenToSend(tx, services, { id: tokenId, pkce }))
  if (!token) return undefined
  const { writeEmail } = await templates()
  return writeEmail({
    kind,
    to,
    code: token.code,
    siteUrl: settings.siteUrl,
    ...(link && { link: linkFor(settings.issuer, token.linkSecret, link) }),
    ...(newEmail && { newEmail }),
  })
}

/** What belongs together for each link: the mail, the token, and what its session's amr claim says in a PKCE flow. */
const linkMails = {
  signup: { kind: 'confirm', tokenType: 'confirmation_token', method: 'otp' },
  invite: { kind: 'invite', tokenType: 'confirmation_token', method: 'otp' },
  magiclink: { kind: 'magicLink', tokenType: 'recovery_token', method: 'magiclink' },
  recovery: { kind: 'recovery', tokenType: 'recovery_token', method: 'recovery' },
} as const satisfies Record<string, { kind: TokenEmailKind; tokenType: TokenType; method: string }>

interface LinkEmail {
  user: UserRow
  email: string
  type: Exclude<LinkType, 'email_change'>
  redirectTo: string
  challenge?: Challenge | undefined
}

/** A mail with a link, its token made and its PKCE flow begun; it is sent when the transaction is over. */
export async function enqueueLinkEmail(
  tx: Transaction,
  services: Services,
  { user, email, type, redirectTo, challenge }: LinkEmail,
): Promise<void> {
  const { kind, tokenType, method } = linkMails[type]
  const at = nowIso(services)
  const flowId = challenge && (await insertFlowState(tx, { userId: user.id, challenge, method, at }))
  const token = await issueToken(tx, services, { user, type: tokenType, address: email, flowId })
  const pkce = challenge !== undefined
  await enqueueEmail(tx, services, { kind, to: email, token, pkce, link: { type, redirectTo } })
}

interface EmailChange {
  user: UserRow
  newEmail: string
  redirectTo: string
  challenge?: Challenge | undefined
  /** The session that asks, which the change does not end. */
  sessionId?: string | undefined
}

/** Asks both mailboxes: the one to come, and the current one if there is one. */
export async function enqueueEmailChange(
  tx: Transaction,
  services: Services,
  { user, newEmail, redirectTo, challenge, sessionId }: EmailChange,
): Promise<void> {
  const at = nowIso(services)
  await updateUser(tx, user.id, { email_change: newEmail, email_change_confirm_status: 0, updated_at: at })
  const flowId =
    challenge && (await insertFlowState(tx, { userId: user.id, challenge, method: 'email_change', at }))
  const common = { link: { type: 'email_change' as const, redirectTo }, newEmail }
  const pkce = challenge !== undefined
  const bound = { user, flowId, sessionId }
  const forNew = await issueToken(tx, services, {
    ...bound,
    type: 'email_change_token_new',
    address: newEmail,
  })
  await enqueueEmail(tx, services, { kind: 'emailChangeNew', to: newEmail, token: forNew, pkce, ...common })
  if (!user.email) return
  const type = 'email_change_token_current'
  const token = await issueToken(tx, services, { ...bound, type, address: user.email })
  await enqueueEmail(tx, services, { kind: 'emailChangeCurrent', to: user.email, token, pkce, ...common })
}
