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
