import { SmsNotSent, type SmsSender } from './port.ts'

const PATIENCE_MS = 5_000

/** A program of the owner's that sends: it gets `{user, sms: {otp, phone}}`, as Supabase's send-SMS hook does. */
export const openSmsHook = (url: string): SmsSender => ({
  name: 'hook',
  async send({ phone, code, user }) {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ user, sms: { otp: code, phone } }),
        redirect: 'error',
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      if (!response.ok) throw new Error(`The SMS hook answered ${response.status}`)
      return {}
    } catch (error) {
      throw new SmsNotSent(error)
    }
  },
})
