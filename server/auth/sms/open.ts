import { join } from 'node:path'
import type { Logger } from 'pino'
import type { SmsSender as SmsConfig } from '#server/config/sms.ts'
import { openSmsHook } from './hook.ts'
import { openSmsOutbox } from './outbox.ts'
import type { SmsSender } from './port.ts'
import { openTwilio } from './twilio.ts'

/** The sender that the configuration names; the outbox stands in the data folder. */
export function openSms(config: SmsConfig, dataDir: string, log: Logger): SmsSender {
  if (config.kind === 'hook') return openSmsHook(config)
  return config.kind === 'twilio' ? openTwilio(config) : openSmsOutbox(join(dataDir, 'outbox'), log)
}
