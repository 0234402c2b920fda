import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import { type Client, clientOf, type Endpoint, type Member, nowIso, type Services } from '../context.ts'
import { enqueueEmail, notifyAccountChange } from '../emails.ts'
import { authErrors } from '../errors.ts'
import { issueToken, takeToken, tokenByCode } from '../otp/one-time-tokens.ts'
import { withSendCooldown } from '../rate-limits.ts'
import { enqueueSms } from '../sms.ts'
import { updateUser } from '../users/queries.ts'
import type { UserRow } from '../users/user.ts'
import { hashPassword, isPasswordOf, mustBeStrong } from './passwords.ts'

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

const DAY_MS = 86_400_000

/** A new password that may be set, already hashed. */
export interface CheckedPassword {
  hash: string
  /** The code of GET /reauthenticate, still to be spent. */
  nonce: string | undefined
}

/** Everything that takes time or needs no transaction. Errors: weak_password, same_password, reauthentication_needed. */
export async function checkPassword(
  { settings, admission, now }: Services,
  { user, session }: Member,
  { password, nonce }: { password: string; nonce: string | undefined },
): Promise<CheckedPassword> {
  if (!user.email && !user.phone) throw authErrors.nowhereToSignIn()
  await mustBeStrong(password, settings.password)
  const isFresh = Date.parse(session.created_at) + DAY_MS > now()
  if (settings.reauthenticate && !isFresh && !nonce) throw authErrors.reauthenticationNeeded()
  const hash = await admission.passwords.run(user.id, async () => {
    if (await isPasswordOf(user.encrypted_password, password)) throw authErrors.samePassword()
    return hashPassword(password)
  })
  return { hash, nonce }
}

/** Errors: reauthentication_not_valid. */
export async function setPassword(
  tx: Transaction,
  services: Services,
  user: UserRow,
  { hash, nonce, client }: CheckedPassword & { client: Client },
): Promise<void> {
  if (nonce) await spendNonce(tx, services, user, nonce)
  await updateUser(tx, user.id, {
    encrypted_password: hash,
    updated_at: nowIso(services),
  })
  await audit(tx, { action: 'user_updated_password', actor: user, client })
  await notifyAccountChange(tx, services, user, 'passwordChanged')
}

async function spendNonce(tx: Transaction, services: Services, user: UserRow, code: string): Promise<void> {
  const address = user.email || user.phone || ''
  const types = ['reauthentication_token'] as const
  const token = await tokenByCode(tx, services, { userId: user.id, code, address, types })
  if (!token || !(await takeToken(tx, token.id))) throw authErrors.reauthenticationNotValid()
}
