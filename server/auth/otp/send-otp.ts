import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { audit, unknownActor } from '../audit.ts'
import { type Client, clientOf, type Endpoint, nowIso, type Services } from '../context.ts'
import { enqueueEmailChange, enqueueLinkEmail } from '../emails.ts'
import { authErrors, retryOnConflict } from '../errors.ts'
import { withSendCooldown } from '../rate-limits.ts'
import { redirectTarget } from '../redirects.ts'
import { challengeFields, channel, email, metadata, optional, phone, readBody } from '../request-body.ts'
import { type Challenge, readChallenge } from '../secrets.ts'
import { enqueueSms } from '../sms.ts'
import { confirmAddress, createAccount } from '../users/accounts.ts'
import { forUserOrObfuscated } from '../users/obfuscated-user.ts'
import { findUser } from '../users/queries.ts'
import type { Metadata } from '../users/user.ts'
import { issueToken } from './one-time-tokens.ts'

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
  const challenge = readChallenge(body)
  const mayJoin = (body.create_user ?? true) && !services.settings.disableSignup
  const request = { mayJoin, data, client: clientOf(c) }
  if (email) {
    await sendSignInLink(services, { ...request, email, challenge, redirectTo: redirectTarget(c) })
    return c.json({})
  }
  if (challenge) throw authErrors.invalid('PKCE not supported for phone sign-ins')
  const byPhone = { ...request, phone: phone ?? '', channel: body.channel ?? ('sms' as const) }
  const { messageId } = await sendSignInCode(services, byPhone)
  return c.json({ message_id: messageId ?? '' })
}

interface SignIn {
  /** Whether an unknown address gets an account. */
  mayJoin: boolean
  data: Metadata | undefined
  client: Client
}

interface SignInByEmail extends SignIn {
  email: string
  challenge: Challenge | undefined
  redirectTo: string
}

/**
 * Mails a link and a code that sign in. An unknown address that may not have an account is answered like any other: to
 * say `otp_disabled` would tell who is a member.
 */
const sendSignInLink = (services: Services, signIn: SignInByEmail): Promise<void> =>
  withSendCooldown(services, { kind: 'magiclink', email: signIn.email }, () =>
    retryOnConflict(() => services.db.asOwner('sign-in by mail', (tx) => prepareLink(tx, services, signIn))),
  )

async function prepareLink(tx: Transaction, services: Services, signIn: SignInByEmail): Promise<void> {
  const { email, mayJoin, client, challenge, redirectTo } = signIn
  const known = await findUser(tx, { email }, { lock: true })
  const isNew = !known && mayJoin
  const user = isNew ? await newcomer(tx, services, signIn) : known
  // A new account is confirmed by its first link; one that waits unconfirmed may hold somebody else's password.
  const type = isNew && !services.settings.autoconfirm ? 'signup' : 'magiclink'
  await forUserOrObfuscated(tx, services, { user, address: { email }, isNew }, (account, to) =>
    enqueueLinkEmail(tx, services, { user: account, email: to, type, redirectTo, challenge }),
  )
  const action = isNew ? 'user_confirmation_requested' : 'user_recovery_requested'
  await audit(tx, { action, actor: user ?? unknownActor, client, traits: { provider: 'email' } })
}

async function newcomer(tx: Transaction, { settings, now }: Services, { email, data }: SignInByEmail) {
  const at = nowIso({ now })
  const user = await createAccount(tx, { email, data, at })
  return settings.autoconfirm ? confirmAddress(tx, user, 'email', at) : user
}

interface SignInByPhone extends SignIn {
  phone: string
  channel: 'sms' | 'whatsapp'
}

/** Texts a code that signs in. As by mail, nobody learns whether the number has an account. */
const sendSignInCode = (services: Services, signIn: SignInByPhone) =>
  withSendCooldown(services, { kind: 'sms', phone: signIn.phone }, () =>
    retryOnConflict(() => services.db.asOwner('sign-in by text', (tx) => prepareCode(tx, services, signIn))),
  )

async function prepareCode(tx: Transaction, services: Services, signIn: SignInByPhone) {
  const { phone, channel, mayJoin, data, client } = signIn
  const known = await findUser(tx, { phone }, { lock: true })
  const at = nowIso(services)
  const user = known ?? (mayJoin ? await createAccount(tx, { phone, data, at }) : undefined)
  const fixedCode = services.settings.testOtps.get(phone)
  // Whoever signs in by a code need not have chosen what is in an account that waits unconfirmed.
  const type = known || !user ? 'recovery_token' : 'confirmation_token'
  const actor = user ?? unknownActor
  await audit(tx, { action: 'user_recovery_requested', actor, client, traits: { provider: 'phone' } })
  const asked = { user, address: { phone }, isNew: !known }
  return forUserOrObfuscated(tx, services, asked, async (account, address) => {
    const token = await issueToken(tx, services, { user: account, type, address, fixedCode })
    return enqueueSms(tx, services, { phone, channel, user: account, codeId: token.id })
  })
}

const ResendBody = z.object({
  type: z.enum(['signup', 'email_change', 'sms', 'phone_change'], 'Missing or unsupported resend type'),
  email: optional(email),
  phone: optional(phone),
  ...challengeFields,
})

/** POST /resend: the last message of a kind once more, with a new code. The same answer when there is none to resend. */
export const resend: Endpoint = async (c) => {
  const { services } = c.var
  const body = await readBody(c, ResendBody)
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

interface LinkOptions {
  redirectTo: string
  challenge: Challenge | undefined
}

const resendMail = (services: Services, type: 'signup' | 'email_change', email: string, link: LinkOptions) =>
  withSendCooldown(services, { kind: type, email }, () =>
    services.db.asOwner('resend', (tx) =>
      type === 'signup' ? resendSignUp(tx, services, email, link) : resendChange(tx, services, email, link),
    ),
  )

async function resendSignUp(
  tx: Transaction,
  services: Services,
  email: string,
  link: LinkOptions,
): Promise<void> {
  const known = await findUser(tx, { email }, { lock: true })
  const user = known?.email_confirmed_at ? undefined : known
  await forUserOrObfuscated(tx, services, { user, address: { email } }, (account, to) =>
    enqueueLinkEmail(tx, services, { user: account, email: to, type: 'signup', ...link }),
  )
}

async function resendChange(
  tx: Transaction,
  services: Services,
  email: string,
  link: LinkOptions,
): Promise<void> {
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
