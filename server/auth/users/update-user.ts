import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import {
  type AuthContext,
  type Client,
  clientOf,
  type Endpoint,
  type Member,
  nowIso,
  type Services,
} from '../context.ts'
import { enqueueEmailChange, notifyAccountChange } from '../emails.ts'
import { authErrors, providerErrors, refuseTaken } from '../errors.ts'
import { lockMember } from '../mfa/assurance.ts'
import { issueToken } from '../otp/one-time-tokens.ts'
import { type CheckedPassword, checkPassword, setPassword } from '../password/change-password.ts'
import { withSendCooldown } from '../rate-limits.ts'
import { redirectTarget } from '../redirects.ts'
import {
  challengeFields,
  channel,
  check,
  email,
  metadata,
  optional,
  password,
  phone,
  readBody,
} from '../request-body.ts'
import { type Challenge, readChallenge } from '../secrets.ts'
import { enqueueSms } from '../sms.ts'
import { changeAddress, evictUnconfirmedHolder, mergeMetadata, reload, revokeAccess } from './accounts.ts'
import { updateUser } from './queries.ts'
import { type Metadata, renderUser, type UserRow } from './user.ts'

/** GET /user: who the access token is about. */
export const getUser: Endpoint = async (c) => c.json(renderUser(c.var.member.user))

const Body = z.object({
  email: optional(email),
  phone: optional(phone),
  password: optional(password),
  nonce: optional(z.string().max(32)),
  data: optional(metadata),
  channel: optional(channel),
  ...challengeFields,
})
type Body = z.output<typeof Body>

/** As GoTrue tells it. */
export const TO_CHANGE_CREDENTIALS = {
  status: 401,
  message: 'AAL2 session is required to update email or password when MFA is enabled.',
} as const

/** Whether the call is about more than metadata. An address that is the account's already is no change. */
export async function changesCredentials(c: AuthContext): Promise<boolean> {
  const { user } = c.var.member
  const { password, email = user.email, phone = user.phone } = await readBody(c, Body)
  return password !== undefined || email !== user.email || phone !== user.phone
}

/** PUT /user: metadata and password change at once, addresses when they have been confirmed. All of it or nothing. */
export const putUser: Endpoint = async (c) => {
  const { services, member } = c.var
  const changes = await readChanges(c, await readBody(c, Body))
  await withCooldowns(c, changes, () => countingCodes(c, changes))
  const user = await services.db.asOwner('changed user', (tx) => reload(tx, member.user.id))
  return c.json(renderUser(user))
}

interface Changes {
  password: CheckedPassword | undefined
  data: Metadata | undefined
  /** Addresses, where they differ from the ones that are there. */
  email: string | undefined
  phone: string | undefined
  /** How a code is sent to a new phone. */
  channel: 'sms' | 'whatsapp'
  redirectTo: string
  challenge: Challenge | undefined
  client: Client
}

async function readChanges(c: AuthContext, body: Body): Promise<Changes> {
  const { services, member } = c.var
  const { password, nonce, data, email, phone, channel } = body
  if (member.user.is_sso_user && (password || email || phone)) throw providerErrors.managedElsewhere()
  return {
    password: password ? await checkPassword(services, member, { password, nonce }) : undefined,
    data,
    email: email === member.user.email ? undefined : email,
    phone: phone === member.user.phone ? undefined : phone,
    channel: channel ?? 'sms',
    redirectTo: redirectTarget(c),
    challenge: readChallenge(body),
    client: clientOf(c),
  }
}

const withCooldowns = (
  c: AuthContext,
  { email, phone }: Changes,
  work: () => Promise<void>,
): Promise<void> => {
  const { services, member } = c.var
  const forPhone = () => (phone ? withSendCooldown(services, { kind: 'phone_change', phone }, work) : work())
  if (!email) return forPhone()
  return withSendCooldown(services, { kind: 'email_change', email: member.user.email || email }, forPhone)
}

/** Attempts with a code are counted, so that it cannot be guessed. */
async function countingCodes(c: AuthContext, changes: Changes): Promise<void> {
  const { services, member } = c.var
  const { db, limits } = services
  const { id } = member.user
  const hasCode = changes.password?.nonce !== undefined
  if (hasCode) await limits.count('code', id)
  await db.asOwner('change user', (tx) => applyChanges(tx, services, member, changes)).catch(refuseTaken)
  if (hasCode) await limits.forget('code', id)
}

/** All changes that a member makes in one call, or none. The row is locked, so that two tabs lose nothing. */
async function applyChanges(
  tx: Transaction,
  services: Services,
  member: Member,
  changes: Changes,
): Promise<void> {
  const { password, data, email, phone, client } = changes
  const changesCredentials = Boolean(password || email || phone)
  const terms = { now: services.now(), refusal: TO_CHANGE_CREDENTIALS, aal2: changesCredentials }
  const { user: before, session } = await lockMember(tx, member, terms)
  const { id } = before
  if (password) {
    await setPassword(tx, services, before, { ...password, client })
    // Whoever knew the old password is signed out by the new one.
    await revokeAccess(tx, id, { sessionId: session.id })
  }
  if (data) await changeMetadata(tx, services, before, data, client)
  const asked = { ...changes, sessionId: session.id }
  if (email) await requestEmailChange(tx, services, await reload(tx, id), { ...asked, newEmail: email })
  if (phone) await requestPhoneChange(tx, services, await reload(tx, id), { ...asked, phone })
}

async function changeMetadata(
  tx: Transaction,
  { now }: Services,
  user: UserRow,
  data: Metadata,
  client: Client,
) {
  await updateUser(tx, user.id, {
    // Checked as a whole: many small changes must not add up to a token that no header can hold.
    raw_user_meta_data: check(metadata, mergeMetadata(user.raw_user_meta_data, data)),
    updated_at: nowIso({ now }),
  })
  await audit(tx, { action: 'user_modified', actor: user, client, traits: { changed: 'data' } })
}

interface EmailChange {
  newEmail: string
  redirectTo: string
  challenge: Challenge | undefined
  client: Client
  /** The session that asks: it goes on when the change ends the others. */
  sessionId: string
}

/** Mails that ask for a confirmation; none where none is asked for. Errors: email_exists. */
async function requestEmailChange(
  tx: Transaction,
  services: Services,
  user: UserRow,
  change: EmailChange,
): Promise<void> {
  const { newEmail, client, sessionId } = change
  if (await evictUnconfirmedHolder(tx, { email: newEmail })) throw authErrors.emailExists()
  await audit(tx, { action: 'email_change_requested', actor: user, client })
  if (!services.settings.autoconfirm) return enqueueEmailChange(tx, services, { user, ...change })
  await revokeAccess(tx, user.id, { sessionId })
  await changeAddress(tx, user, { email: newEmail }, nowIso(services))
  await notifyAccountChange(tx, services, user, 'emailChanged', newEmail)
}

interface PhoneChange {
  phone: string
  channel: 'sms' | 'whatsapp'
  client: Client
  sessionId: string
}

/** A code to the new phone; none where no confirmation is asked for. Errors: phone_exists. */
async function requestPhoneChange(
  tx: Transaction,
  services: Services,
  user: UserRow,
  { phone, channel, client, sessionId }: PhoneChange,
): Promise<void> {
  if (await evictUnconfirmedHolder(tx, { phone })) throw authErrors.phoneExists()
  const at = nowIso(services)
  await audit(tx, { action: 'user_modified', actor: user, client, traits: { requested: 'phone' } })
  if (services.settings.autoconfirm) {
    await revokeAccess(tx, user.id, { sessionId })
    await changeAddress(tx, user, { phone }, at)
    await notifyAccountChange(tx, services, user, 'phoneChanged', phone.slice(-3))
    return
  }
  await updateUser(tx, user.id, { phone_change: phone, updated_at: at })
  const fixedCode = services.settings.testOtps.get(phone)
  const token = await issueToken(tx, services, {
    user,
    type: 'phone_change_token',
    address: phone,
    sessionId,
    fixedCode,
  })
  await enqueueSms(tx, services, { phone, channel, user, codeId: token.id })
}
