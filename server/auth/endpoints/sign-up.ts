import { z } from 'zod'
import { clientOf, type Endpoint } from '../context.ts'
import { authErrors } from '../errors.ts'
import { hashPassword, mustBeStrong } from '../passwords.ts'
import { readChallenge } from '../pkce.ts'
import { redirectTarget } from '../redirects.ts'
import {
  challengeFields,
  channel,
  email,
  metadata,
  optional,
  password,
  phone,
  readBody,
} from '../request-body.ts'
import { earlierHashOf } from '../sign-up/account-to-confirm.ts'
import { signUpAnonymously } from '../sign-up/anonymous.ts'
import { signUpByEmail } from '../sign-up/by-email.ts'
import { signUpByPhone } from '../sign-up/by-phone.ts'

const Body = z.object({
  email: optional(email),
  phone: optional(phone),
  password: optional(password),
  data: optional(metadata),
  channel: optional(channel),
  ...challengeFields,
})

/** POST /signup: a new account by e-mail or phone with a password, or an anonymous one without either. */
export const signUp: Endpoint = async (c) => {
  const { services } = c.var
  const body = await readBody(c, Body)
  const client = clientOf(c)
  const { email, phone, password, data } = body
  if (!email && !phone && !password) return c.json(await signUpAnonymously(services, { data, client }))
  if (services.settings.disableSignup) throw authErrors.signupDisabled()
  if (!password) throw authErrors.invalid('Signup requires a valid password')
  if (email && phone)
    throw authErrors.invalid('Only an email address or phone number should be provided on signup.')
  const challenge = readChallenge(body)
  if (phone && challenge) throw authErrors.invalid('PKCE not supported for phone signups')
  await mustBeStrong(password, services.settings.password)
  // Before anybody looks whether the address is known: both answers take the same time.
  const { admission } = services
  const address = email ? { email } : { phone: phone ?? '' }
  const chosen = await admission.passwords.run(admission.clientOf(c), async () => ({
    hash: await hashPassword(password),
    earlierHash: await earlierHashOf(services, address, password),
  }))
  const common = { password: chosen, data, client }
  if (phone)
    return c.json(await signUpByPhone(services, { ...common, phone, channel: body.channel ?? 'sms' }))
  if (!email) throw authErrors.invalid('To signup, please provide your email')
  return c.json(await signUpByEmail(services, { ...common, email, challenge, redirectTo: redirectTarget(c) }))
}
