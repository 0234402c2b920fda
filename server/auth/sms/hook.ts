import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { SmsNotSent, type SmsSender } from './port.ts'

const PATIENCE_MS = 5_000

interface Hook {
  url: string
  /** `whsec_…`: one, or more while a secret is being changed. None: unsigned. */
  secrets: readonly string[]
}

/**
 * A program of the owner's that sends: it gets `{user, sms: {otp, phone}}`, as Supabase's send-SMS hook does, signed by
 * the rules of standardwebhooks.com, so that nobody else can have it send codes of their own.
 */
export function openSmsHook({ url, secrets }: Hook): SmsSender {
  const signers = secrets.map((secret) => new Webhook(secret))
  return {
    name: 'hook',
    async send({ phone, code, user }) {
      const body = JSON.stringify({ user, sms: { otp: code, phone } })
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...signed(signers, body) },
          body,
          redirect: 'error',
          signal: AbortSignal.timeout(PATIENCE_MS),
        })
        if (!response.ok) throw new Error(`The SMS hook answered ${response.status}`)
        return {}
      } catch (error) {
        throw new SmsNotSent(error)
      }
    },
  }
}

function signed(signers: readonly Webhook[], body: string): Record<string, string> {
  if (signers.length === 0) return {}
  const [id, at] = [`msg_${randomUUID()}`, new Date()]
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signers.map((signer) => signer.sign(id, at, body)).join(' '),
  }
}
