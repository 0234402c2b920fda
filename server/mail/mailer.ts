import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'

/** One message to one mailbox, in both forms. */
export interface Email {
  to: string
  subject: string
  text: string
  html: string
}

/** Where mail leaves the house. */
export interface Mailer {
  /** Resolves when the message has been taken over. Errors: MailNotSent. */
  sendEmail(email: Email): Promise<void>
}

/** The mail server did not take the message, and has said why: admins are shown it. */
export class MailNotSent extends Error {
  /** The server has refused this recipient or this message for good: sending it again would not help. */
  readonly isPermanent: boolean

  constructor(cause: unknown, isPermanent = false) {
    super(`The mail server did not take the message${reasonOf(cause)}`, { cause })
    this.name = 'MailNotSent'
    this.isPermanent = isPermanent
  }
}

const MAX_REASON = 300

/** A server may write what it likes: one line of it is enough. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return ''
  const line = cause.message.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  return line && `: ${line.slice(0, MAX_REASON)}`
}

interface MailConfig {
  smtpUrl: string | undefined
  /** The outbox stands in it. */
  dataDir: string
  /** The sender's address. */
  from: string
}

/** The mail server of the configuration, or the outbox. */
export function openMailer({ smtpUrl, dataDir, from }: MailConfig, log: Logger): Mailer {
  const sender = `Walking Together <${from}>`
  return smtpUrl ? openSmtp(smtpUrl, sender) : openOutbox(join(dataDir, 'outbox'), sender, log)
}

/** A mail server that does not answer must not hold up the others' mails longer than this. */
const PATIENCE_MS = 10_000

/** Sends through the server of an `smtp://` or `smtps://` address; name and password stand in it. */
export function openSmtp(url: string, from: string, patienceMs = PATIENCE_MS): Mailer {
  const settings = {
    url,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    // Nothing of a message may make us read files or fetch addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const transport = createTransport(settings, { from })
  return {
    async sendEmail(email) {
      await transport.sendMail(email).catch((cause) => {
        throw new MailNotSent(cause, isAboutThisEmail(cause))
      })
    },
  }
}

/**
 * Whether a refusal is for good and about this recipient or text (RFC 5321, section 4.2.1). One of the sender's name,
 * password or address is for the owner to mend, and everybody's mails wait for that.
 */
const isAboutThisEmail = ({ responseCode, command }: { responseCode?: number; command?: string }): boolean =>
  responseCode !== undefined && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')

/** Without a mail server: each message becomes an .eml file, which any mail program opens. The log says where. */
function openOutbox(folder: string, from: string, log: Logger): Mailer {
  const compose = createTransport({ streamTransport: true, buffer: true })
  return {
    async sendEmail(email) {
      try {
        const { message } = await compose.sendMail({ from, ...email })
        const file = join(
          folder,
          `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`,
        )
        await mkdir(folder, { recursive: true })
        await writeFile(file, message as Buffer, { mode: 0o600, flag: 'wx' })
        log.info({ file, subject: email.subject }, 'no SMTP_URL is set: mail written to the outbox')
      } catch (error) {
        throw new MailNotSent(error)
      }
    },
  }
}
