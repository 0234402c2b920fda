import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { networkOf } from '#server/http/admission.ts'
import { audit } from '../audit.ts'
import { type AuthContext, type Client, clientOf, type Endpoint, nowIso, type Services } from '../context.ts'
import { enqueueLinkEmail } from '../emails.ts'
import { authErrors, retryOnConflict } from '../errors.ts'
import { issueToken, OTP_LIFETIME_SECONDS } from '../otp/one-time-tokens.ts'
import { withSendCooldown } from '../rate-limits.ts'
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
import { type Challenge, readChallenge } from '../secrets.ts'
import { startSession, tokenResponse } from '../sessions/lifecycle.ts'
import { enqueueSms } from '../sms.ts'
import { claimUnconfirmedAccount, confirmAddress, createAccount, reload } from '../users/accounts.ts'
import { renderAsIfFor, withObfuscatedUser } from '../users/obfuscated-user.ts'
import { findUser, updateUser } from '../users/queries.ts'
import {
  type Address,
  type Metadata,
  providerOf,
  type RenderedUser,
  renderUser,
  textOf,
  type UserRow,
} from '../users/user.ts'
import { hashPassword, isPasswordOf, mustBeStrong } from './passwords.ts'

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
  const { email, phone, password, data } = body
  const client = clientOf(c)
  if (!email && !phone && !password) return c.json(await signUpAnonymously(services, data, client))
  if (services.settings.disableSignup) throw authErrors.signupDisabled()
  if (!password) throw authErrors.invalid('Signup requires a valid password')
  if (email && phone)
    throw authErrors.invalid('Only an email address or phone number should be provided on signup.')
  const challenge = readChallenge(body)
  if (phone && challenge) throw authErrors.invalid('PKCE not supported for phone signups')
  await mustBeStrong(password, services.settings.password)
  if (!email && !phone) throw authErrors.invalid('To signup, please provide your email')
  const address = email ? { email } : { phone: phone ?? '' }
  const chosen = await choosePassword(c, address, password)
  const input = { address, password: chosen, data, client }
  if (services.settings.autoconfirm)
    return c.json(await tokenResponse(services, await signUpAtOnce(services, input)))
  const message = { challenge, redirectTo: redirectTarget(c), channel: body.channel ?? 'sms' }
  return c.json(await signUpByMessage(services, input, message))
}

/** A session for somebody who stays unnamed. Errors: anonymous_provider_disabled, signup_disabled. */
async function signUpAnonymously(services: Services, data: Metadata | undefined, client: Client) {
  const { settings, db, limits, now } = services
  if (!settings.anonymous) throw authErrors.anonymousDisabled()
  if (settings.disableSignup) throw authErrors.signupDisabled()
  await limits.count('anonymous', networkOf(client.address))
  const issued = await db.asOwner('anonymous sign-up', async (tx) => {
    const user = await createAccount(tx, { data, at: nowIso({ now }) })
    await audit(tx, { action: 'user_signedup', actor: user, client, traits: { provider: 'anonymous' } })
    return startSession(tx, services, { user, method: 'anonymous', client })
  })
  return tokenResponse(services, issued)
}

/** What somebody who signs up wants to sign in with. */
interface ChosenPassword {
  hash: string
  /** The hash that the address's account holds already, if it is of the same password. */
  earlierHash: string | undefined
}

/** Before the transaction, and before anybody looks whether the address is known: every address takes the same time. */
const choosePassword = (c: AuthContext, address: Address, password: string): Promise<ChosenPassword> => {
  const { admission, db } = c.var.services
  return admission.passwords.run(admission.clientOf(c), async () => {
    const hash = await hashPassword(password)
    const known = await db.asOwner('earlier sign-up', (tx) => findUser(tx, address))
    const earlier = known?.confirmed_at ? null : known?.encrypted_password
    const isSame = await isPasswordOf(earlier, password)
    return { hash, earlierHash: isSame ? (earlier ?? undefined) : undefined }
  })
}

interface SignUp {
  address: Address
  password: ChosenPassword
  data: Metadata | undefined
  client: Client
}

/** A session, where no confirmation is asked for. */
const signUpAtOnce = (services: Services, signUp: SignUp) =>
  retryOnConflict(() =>
    services.db.asOwner('sign-up', async (tx) => {
      const { address, client } = signUp
      const user = await accountToConfirm(tx, services, { ...signUp, isTrusted: true })
      if (!user) throw authErrors.userAlreadyExists()
      const provider = providerOf(address)
      const confirmed = await confirmAddress(tx, user, provider, nowIso(services))
      await audit(tx, { action: 'user_signedup', actor: confirmed, client, traits: { provider } })
      return startSession(tx, services, { user: confirmed, method: 'password', client })
    }),
  )

/** How the address is asked to confirm: by a link, or by a code in a text message. */
interface Message {
  challenge: Challenge | undefined
  redirectTo: string
  channel: 'sms' | 'whatsapp'
}

/**
 * The user who has been sent a mail or a text message. Answers the same for every address: with the new account, or,
 * where there is one already, with a made-up one. Who owns the mailbox could tell the difference, by the mail.
 */
const signUpByMessage = (services: Services, signUp: SignUp, message: Message): Promise<RenderedUser> => {
  const { address } = signUp
  const slot = 'email' in address ? { kind: 'signup', ...address } : { kind: 'sms', ...address }
  return withSendCooldown(services, slot, () =>
    retryOnConflict(() =>
      services.db.asOwner('sign-up', (tx) => signUpOrObfuscate(tx, services, signUp, message)),
    ),
  )
}

async function signUpOrObfuscate(tx: Transaction, services: Services, signUp: SignUp, message: Message) {
  const { address, password, data, client } = signUp
  const known = await findUser(tx, address)
  const user = await accountToConfirm(tx, services, signUp)
  const action = user ? 'user_confirmation_requested' : 'user_repeated_signup'
  await audit(tx, { action, actor: user ?? known, client, traits: { provider: providerOf(address) } })
  if (user) await sendConfirmation(tx, services, { user, to: textOf(address), signUp, message })
  if (user && !known) return renderUser(await reload(tx, user.id))
  const account = { passwordHash: password.hash, data }
  return withObfuscatedUser(tx, services, { address, account }, async (obfuscated, madeUp) => {
    await sendConfirmation(tx, services, { user: obfuscated, to: madeUp, signUp, message })
    return renderAsIfFor(address, renderUser(await reload(tx, obfuscated.id)), madeUp)
  })
}

interface Confirmation {
  user: UserRow
  /** The account's address: that of the sign-up, or a made-up one. */
  to: string
  signUp: SignUp
  message: Message
}

async function sendConfirmation(
  tx: Transaction,
  services: Services,
  { user, to, signUp: { address }, message: { challenge, redirectTo, channel } }: Confirmation,
): Promise<void> {
  if ('email' in address) {
    // An invitation stays good whoever signs up with its address: they get a link beside it.
    const type = user.invited_at ? 'magiclink' : 'signup'
    return enqueueLinkEmail(tx, services, { user, email: to, type, redirectTo, challenge })
  }
  const { phone } = address
  const fixedCode = services.settings.testOtps.get(phone)
  const token = await issueToken(tx, services, { user, type: 'confirmation_token', address: to, fixedCode })
  await enqueueSms(tx, services, { phone, channel, user, codeId: token.id })
}

interface AccountToConfirm {
  address: Address
  password: ChosenPassword | undefined
  data: Metadata | undefined
  /** Nobody will be asked for a proof (autoconfirm), or an admin vouches: the last word counts. */
  isTrusted?: boolean
}

/**
 * The account that a sign-up is for: a new one, or one that nobody has confirmed, emptied of what others left in it.
 * None when it is confirmed.
 *
 * The password of a sign-up counts when it was the only one while its mail could be opened: of two people who sign up
 * with one address, nobody knows whose mail its owner will open. An account that an admin has invited takes nothing
 * from a sign-up (docs/decisions).
 */
export async function accountToConfirm(
  tx: Transaction,
  { now }: Pick<Services, 'now'>,
  signUp: AccountToConfirm,
): Promise<UserRow | undefined> {
  const { address, password, data } = signUp
  const at = nowIso({ now })
  const known = await findUser(tx, address, { lock: true })
  if (!known) return createAccount(tx, { ...address, passwordHash: password?.hash, data, at })
  if (known.confirmed_at) return undefined
  if (known.invited_at && !signUp.isTrusted) return known
  const isContested = !signUp.isTrusted && isAwaited(known, now()) && !isRepeated(known, password)
  const emptied = await claimUnconfirmedAccount(tx, known, { at })
  if (!isContested)
    await updateUser(tx, known.id, {
      encrypted_password: password?.hash ?? null,
      raw_user_meta_data: { ...data, ...emptied.raw_user_meta_data },
      updated_at: at,
    })
  return reload(tx, known.id)
}

const isAwaited = ({ confirmation_sent_at: sentAt }: UserRow, now: number): boolean =>
  sentAt !== null && Date.parse(sentAt) + OTP_LIFETIME_SECONDS * 1000 > now

const isRepeated = (known: UserRow, password: ChosenPassword | undefined): boolean =>
  password?.earlierHash !== undefined && password.earlierHash === known.encrypted_password
