import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { SmsNotSent, type SmsSender, smsText } from './port.ts'

/** Without a provider: each message becomes a text file beside the mails. The log says where. */
export const openSmsOutbox = (folder: string, log: Logger): SmsSender => ({
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
