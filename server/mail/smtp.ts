import { createTransport } from 'nodemailer'
import { type Mailer, MailNotSent } from './port.ts'

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
