import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import { type Mailer, MailNotSent } from './port.ts'

/** Without a mail server: each message becomes an .eml file, which any mail program opens. The log says where. */
export function openOutbox(folder: string, from: string, log: Logger): Mailer {
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
