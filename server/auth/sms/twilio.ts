import { z } from 'zod'
import { SmsNotSent, type SmsSender, smsText } from './port.ts'

export interface TwilioConfig {
  accountSid: string
  authToken: string
  /** A number of ours, or the id of a messaging service (MG…). */
  from: string
  /** In place of Twilio's own address; tests let a server of theirs answer. */
  url?: string
}

const PATIENCE_MS = 10_000
const Answer = z.object({ sid: z.string() })

/** Twilio's REST API, which is one POST. */
export function openTwilio({
  accountSid,
  authToken,
  from,
  url = 'https://api.twilio.com',
}: TwilioConfig): SmsSender {
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
  const sender = from.startsWith('MG') ? 'MessagingServiceSid' : 'From'
  return {
    name: 'twilio',
    async send({ phone, code, channel }) {
      const prefix = channel === 'whatsapp' ? 'whatsapp:' : ''
      const isNumber = sender === 'From'
      const body = new URLSearchParams({
        To: `${prefix}+${phone}`,
        [sender]: isNumber ? `${prefix}${from}` : from,
        Body: smsText(code),
      })
      try {
        const response = await fetch(`${url}/2010-04-01/Accounts/${accountSid}/Messages.json`, {
          method: 'POST',
          headers: { Authorization: `Basic ${credentials}` },
          body,
          signal: AbortSignal.timeout(PATIENCE_MS),
        })
        if (!response.ok) throw new Error(`Twilio answered ${response.status}: ${await response.text()}`)
        return { messageId: Answer.parse(await response.json()).sid }
      } catch (error) {
        throw new SmsNotSent(error)
      }
    },
  }
}
