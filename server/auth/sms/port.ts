import type { RenderedUser } from '../users/user.ts'

/** One text message with a code. */
export interface Sms {
  /** Digits of the number, without the plus. */
  phone: string
  code: string
  channel: 'sms' | 'whatsapp'
  /** For hooks, which choose by it. */
  user: RenderedUser
}

/** Where text messages leave the house. */
export interface SmsSender {
  /** How /settings names it. */
  readonly name: string
  /** The provider's own id for the message, where it has one. Errors: SmsNotSent. */
  send(sms: Sms): Promise<{ messageId?: string }>
}

/** The provider did not take the message; the cause stays in the log. */
export class SmsNotSent extends Error {
  constructor(cause: unknown) {
    super('The provider did not take the text message', { cause })
    this.name = 'SmsNotSent'
  }
}

/** What people read on their phone. */
export const smsText = (code: string): string => `Your Walking Together code is ${code}`
