import { z } from 'zod'
import { type AuthContext, clientOf, type Endpoint } from '../context.ts'
import { withSendCooldown } from '../emails.ts'
import { providerErrors, refuseTaken } from '../errors.ts'
import { checkPassword } from '../password/change-password.ts'
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
import { applyChanges, type Changes } from '../user-changes/apply.ts'
import { reload } from '../users/accounts.ts'
import { renderUser } from '../users/user.ts'

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

/** PUT /user: metadata and password change at once, addresses when they have been confirmed. All of it or nothing. */
export const updateUser: Endpoint = async (c) => {
  const { services, member } = c.var
  const body = await readBody(c, Body)
  const changes = await readChanges(c, body)
  await inSlots(c, changes, () => apply(c, changes))
  const user = await services.db.asOwner('changed user', (tx) => reload(tx, member.user.id))
  return c.json(renderUser(user))
}

/** Whether the call is about more than metadata. An address that is the account's already is no change. */
export async function changesCredentials(c: AuthContext): Promise<boolean> {
  const { user } = c.var.member
  const { password, email = user.email, phone = user.phone } = await readBody(c, Body)
  return password !== undefined || email !== user.email || phone !== user.phone
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

/** Attempts with a code are counted, so that it cannot be guessed. */
async function apply(c: AuthContext, changes: Changes): Promise<void> {
  const { db, limits } = c.var.services
  const { member } = c.var
  const { id } = member.user
  const hasCode = changes.password?.nonce !== undefined
  if (hasCode) await limits.count('code', id)
  await db
    .asOwner('change user', (tx) => applyChanges(tx, c.var.services, member, changes))
    .catch(refuseTaken)
  if (hasCode) await limits.forget('code', id)
}

const inSlots = (c: AuthContext, { email, phone }: Changes, work: () => Promise<void>): Promise<void> => {
  const { services, member } = c.var
  const forPhone = () => (phone ? withSendCooldown(services, { kind: 'phone_change', phone }, work) : work())
  if (!email) return forPhone()
  return withSendCooldown(services, { kind: 'email_change', email: member.user.email || email }, forPhone)
}
