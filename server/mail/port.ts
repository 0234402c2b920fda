/** One message to one mailbox, in both forms. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

/** Where mail leaves the house. */
export interface Mailer {
  /** Resolves when the message has been taken over. Errors: MailNotSent. */
  send(mail: Mail): Promise<void>
  /**
   * Everything of `send` but the message: the same failure, in about the same time. For addresses without an account,
   * so that an outage or a clock does not tell them from the others. Errors: MailNotSent.
   */
  rehearse(): Promise<void>
}

/** The mail server did not take the message. Nothing was sent; trying again later may help. */
export class MailNotSent extends Error {
  constructor(cause: unknown) {
    super('The mail server did not take the message', { cause })
    this.name = 'MailNotSent'
  }
}
