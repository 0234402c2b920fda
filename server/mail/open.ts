import { join } from 'node:path'
import type { Logger } from 'pino'
import { openOutbox } from './outbox.ts'
import type { Mailer } from './port.ts'
import { openSmtp } from './smtp.ts'

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
