import { audit } from '../audit.ts'
import { clientOf, type Endpoint } from '../context.ts'
import { enqueueEmail, withSendCooldown } from '../emails.ts'
import { authErrors } from '../errors.ts'
import { issueToken } from '../one-time-tokens/issue.ts'
import { enqueueSms } from '../sms/queue.ts'

/** GET /reauthenticate: a code to the member's own address, which PUT /user asks for before it changes a password. */
export const reauthenticate: Endpoint = async (c) => {
  const { services, member } = c.var
  const { user } = member
  const { email, phone } = user
  if (!email && !phone)
    throw authErrors.invalid('Reauthentication requires the user to have an email or a phone number')
  if (email && !user.email_confirmed_at) throw authErrors.emailNotConfirmed(422)
  if (!email && !user.phone_confirmed_at) throw authErrors.phoneNotConfirmed(422)
  const address = email || phone || ''
  const slot = email ? { kind: 'reauthentication', email } : { kind: 'reauthentication', phone: address }
  await withSendCooldown(services, slot, () =>
    services.db.asOwner('reauthenticate', async (tx) => {
      await audit(tx, { action: 'user_reauthenticate_requested', actor: user, client: clientOf(c) })
      const token = await issueToken(tx, services, { user, type: 'reauthentication_token', address })
      if (email) await enqueueEmail(tx, services, { kind: 'reauthenticate', to: email, token, pkce: false })
      else await enqueueSms(tx, services, { phone: address, channel: 'sms', user, codeId: token.id })
    }),
  )
  return c.json({})
}
