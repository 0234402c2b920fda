import { createTransport } from 'nodemailer'
import { type Mailer, MailNotSent } from './port.ts'

/** A mail server that does not answer must not keep a person waiting longer than this. */
const PATIENCE_MS = 10_000

/** Sends through the server of an `smtp://` or `smtps://` address; name and password stand in it. */
export function openSmtp(url: string, from: string): Mailer {
  const transport = createTransport(url, { from })
  Object.assign(transport.options, {
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    // Nothing of a message may make us read files or fetch addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const refuse = (cause: unknown): never => {
    throw new MailNotSent(cause)
  }
  return {
    async send(mail) {
      await transport.sendMail(mail).catch(refuse)
    },
    async rehearse() {
      await transport.verify().catch(refuse)
    },
  }
}
