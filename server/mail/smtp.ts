import { createTransport } from 'nodemailer'
import { type Mailer, MailNotSent } from './port.ts'

/** A mail server that does not answer must not keep a person waiting longer than this. */
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
