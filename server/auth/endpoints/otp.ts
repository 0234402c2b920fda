import { z } from 'zod'
import { type Client, clientOf, type Endpoint } from '../context.ts'
import { authErrors } from '../errors.ts'
import { readChallenge } from '../pkce.ts'
import { redirectTarget } from '../redirects.ts'
import { challengeFields, channel, email, metadata, optional, phone, readBody } from '../request-body.ts'
import { sendSignInLink } from '../sign-in/by-mail.ts'
import { sendSignInCode } from '../sign-in/by-text.ts'

const Body = z.object({
  email: optional(email),
  phone: optional(phone),
  create_user: optional(z.boolean()),
  data: optional(metadata),
  channel: optional(channel),
  ...challengeFields,
})

/** POST /otp: a link and a code by mail, or a code by text message. Unknown people get an account, unless told not to. */
export const sendOtp: Endpoint = async (c) => {
  const { services } = c.var
  const body = await readBody(c, Body)
  const { email, phone, data } = body
  if (!email === !phone) throw authErrors.invalid('Only an email address or phone number should be provided')
  const client: Client = clientOf(c)
  const challenge = readChallenge(body)
  const createUser = body.create_user ?? true
  if (email) {
    const redirectTo = redirectTarget(c)
    await sendSignInLink(services, { email, createUser, data, client, challenge, redirectTo })
    return c.json({})
  }
  if (challenge) throw authErrors.invalid('PKCE not supported for phone sign-ins')
  const code = { phone: phone ?? '', createUser, data, client, channel: body.channel ?? ('sms' as const) }
  const { messageId } = await sendSignInCode(services, code)
  return c.json({ message_id: messageId ?? '' })
}
