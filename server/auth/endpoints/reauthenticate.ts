import { audit } from '../audit.ts'
import { clientOf } from '../client.ts'
import type { Endpoint } from '../context.ts'
import { deliver, deliverSms, inMessageSlot } from '../deliver.ts'
import { authErrors } from '../errors.ts'
import { issueToken } from '../one-time-tokens/issue.ts'

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
  await inMessageSlot(services, slot, async () => {
    const token = await services.db.asOwner('reauthenticate', async (tx) => {
      await audit(tx, { action: 'user_reauthenticate_requested', actor: user, client: clientOf(c) })
      return issueToken(tx, services, { user, type: 'reauthentication_token', address })
    })
    if (email) await deliver(services, [{ kind: 'reauthenticate', to: email, token }])
    else await deliverSms(services, { phone: address, channel: 'sms', user, token })
  })
  return c.json({})
}
