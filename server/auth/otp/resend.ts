import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import type { Endpoint, Services } from '../context.ts'
import { enqueueEmailChange, enqueueLinkEmail, withSendCooldown } from '../emails.ts'
import { authErrors } from '../errors.ts'
import { type Challenge, readChallenge } from '../pkce.ts'
import { redirectTarget } from '../redirects.ts'
import { challengeFields, email, optional, phone, readBody } from '../request-body.ts'
import { enqueueSms } from '../sms/queue.ts'
import { forUserOrObfuscated } from '../users/obfuscated-user.ts'
import { findUser } from '../users/queries.ts'
import { issueToken } from './one-time-tokens.ts'

const Body = z.object({
  type: z.enum(['signup', 'email_change', 'sms', 'phone_change'], 'Missing or unsupported resend type'),
  email: optional(email),
  phone: optional(phone),
  ...challengeFields,
})

/** POST /resend: the last message of a kind once more, with a new code. The same answer when there is none to resend. */
export const resend: Endpoint = async (c) => {
  const { services } = c.var
  const body = await readBody(c, Body)
  const { type, email, phone } = body
  if (email && phone) throw authErrors.invalid('Only an email address or phone number should be provided.')
  if (type === 'signup' || type === 'email_change') {
    if (!email) throw authErrors.invalid(`Type provided requires an email address`)
    const link = { redirectTo: redirectTarget(c), challenge: readChallenge(body) }
    await resendMail(services, type, email, link)
    return c.json({})
  }
  if (!phone) throw authErrors.invalid('Type provided requires a phone number')
  const { messageId } = await resendText(services, type, phone)
  return c.json({ message_id: messageId ?? '' })
}

interface Link {
  redirectTo: string
  challenge: Challenge | undefined
}

const resendMail = (services: Services, type: 'signup' | 'email_change', email: string, link: Link) =>
  withSendCooldown(services, { kind: type, email }, () =>
    services.db.asOwner('resend', (tx) =>
      type === 'signup' ? resendSignUp(tx, services, email, link) : resendChange(tx, services, email, link),
    ),
  )

async function resendSignUp(tx: Transaction, services: Services, email: string, link: Link): Promise<void> {
  const known = await findUser(tx, { email }, { lock: true })
  const user = known?.email_confirmed_at ? undefined : known
  await forUserOrObfuscated(tx, services, { user, address: { email } }, (account, to) =>
    enqueueLinkEmail(tx, services, { user: account, email: to, type: 'signup', ...link }),
  )
}

async function resendChange(tx: Transaction, services: Services, email: string, link: Link): Promise<void> {
  const known = await findUser(tx, { email }, { lock: true })
  const user = known?.email_change ? known : undefined
  await forUserOrObfuscated(tx, services, { user, address: { email } }, (account) =>
    enqueueEmailChange(tx, services, { user: account, newEmail: account.email_change || email, ...link }),
  )
}

const resendText = (
  services: Services,
  type: 'sms' | 'phone_change',
  phone: string,
): Promise<{ messageId?: string }> =>
  withSendCooldown(services, { kind: type, phone }, () =>
    services.db.asOwner('resend', async (tx) => {
      const known = await findUser(tx, type === 'sms' ? { phone } : { phoneChange: phone }, { lock: true })
      const user = type === 'sms' && known?.phone_confirmed_at ? undefined : known
      const tokenType = type === 'sms' ? 'confirmation_token' : 'phone_change_token'
      const fixedCode = services.settings.testOtps.get(phone)
      return forUserOrObfuscated(tx, services, { user, address: { phone } }, async (account) => {
        const wanted = { user: account, type: tokenType, address: phone, fixedCode } as const
        const token = await issueToken(tx, services, wanted)
        return enqueueSms(tx, services, { phone, channel: 'sms', user: account, codeId: token.id })
      })
    }),
  )
