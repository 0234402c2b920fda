import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isUuid } from '#domain/uuid.ts'
import type { Transaction } from '#server/database/port.ts'
import { audit, traitsOf } from '../audit.ts'
import { type AuthContext, clientOf, type Endpoint, nowIso, type Services } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { authErrors, refuseTaken } from '../errors.ts'
import { hashPassword, isPasswordHash, mustBeStrong, type PasswordRules } from '../password/passwords.ts'
import { email, metadata, optional, password, phone, readBody, readOptionalBody } from '../request-body.ts'
import {
  changeAddress,
  claimUnconfirmedAccount,
  confirmAddress,
  createAccount,
  evictUnconfirmedHolder,
  mergeMetadata,
  reload,
  revokeAccess,
  voidPending,
} from '../users/accounts.ts'
import { deleteUser, findUser, mergeIdentity, updateUser } from '../users/queries.ts'
import { isBanned, renderUser, type UserRow } from '../users/user.ts'

/** What an admin may say about a user, when making one and when changing one. */
const UserFields = z.object({
  id: optional(z.guid('ID must conform to the uuid format')),
  email: optional(email),
  phone: optional(phone),
  password: optional(password),
  password_hash: optional(z.string().refine(isPasswordHash, 'Password hash must be a bcrypt or argon2 hash')),
  email_confirm: optional(z.boolean()),
  phone_confirm: optional(z.boolean()),
  user_metadata: optional(metadata),
  app_metadata: optional(metadata),
  role: optional(z.enum(['anon', 'authenticated', 'service_role'], 'role must be a role of the database')),
  aud: optional(z.string().max(255)),
  ban_duration: optional(z.string().max(64)),
})
type UserFields = z.output<typeof UserFields>

/** GET /admin/users/{id} */
export const getAnyUser: Endpoint = async (c) => {
  const id = userIdOf(c)
  const user = await c.var.services.db.asOwner('get user', (tx) => findUser(tx, { id }))
  if (!user) throw authErrors.userNotFound()
  return c.json(renderUser(user))
}

/** POST /admin/users: an account as the owner wants it, without any mail. */
export const createUser: Endpoint = async (c) => {
  const { db, settings, now } = c.var.services
  const fields = await readBody(c, UserFields)
  const { id, email, phone, role, aud, ban_duration: ban } = fields
  if (!email && !phone) throw authErrors.invalid('Cannot create a user without either an email or phone')
  const passwordHash = await chosenHash(fields, settings.password)
  const at = nowIso({ now })
  const columns = {
    ...(id && { id }),
    ...(role && { role }),
    ...(aud && { aud }),
    ...(ban && { banned_until: banUntil(ban, now()) }),
    raw_app_meta_data: fields.app_metadata ?? {},
  }
  const user = await db
    .asOwner('create user', async (tx) => {
      let user = await createAccount(tx, {
        email,
        phone,
        passwordHash,
        data: fields.user_metadata,
        columns,
        at,
      })
      if (email && fields.email_confirm) user = await confirmAddress(tx, user, 'email', at)
      if (phone && fields.phone_confirm) user = await confirmAddress(tx, user, 'phone', at)
      await audit(tx, {
        action: 'user_signedup',
        actor: undefined,
        client: clientOf(c),
        traits: traitsOf(user),
      })
      return user
    })
    .catch((error) => (error.constraint === 'users_pkey' ? refuseId() : refuseTaken(error)))
  return c.json(renderUser(user))
}

const refuseId = (): never => {
  throw authErrors.invalid('There is a user with this id already')
}

/** PUT /admin/users/{id}: what is given changes at once, addresses too; metadata merges. */
export const updateAnyUser: Endpoint = async (c) => {
  const { services } = c.var
  const { db, settings, now } = services
  const id = userIdOf(c)
  const fields = await readBody(c, UserFields)
  const passwordHash = await chosenHash(fields, settings.password)
  const at = nowIso({ now })
  const user = await db
    .asOwner('update user', async (tx) => {
      const before = await userToChange(tx, id)
      const user = await changeAddresses(tx, before, fields, at)
      await updateUser(tx, id, { ...changedColumns(user, fields, now()), updated_at: at })
      if (passwordHash) await updateUser(tx, id, { encrypted_password: passwordHash })
      // Whoever was in by the old ways is out.
      if (passwordHash || movesTo(before, fields)) await revokeAccess(tx, id)
      else if (isBanned(await reload(tx, id), now())) await voidPending(tx, id)
      await audit(tx, {
        action: 'user_modified',
        actor: undefined,
        client: clientOf(c),
        traits: traitsOf(user),
      })
      const after = await reload(tx, id)
      await notifyOfChanges(tx, services, before, { after, hasNewPassword: Boolean(passwordHash) })
      return after
    })
    .catch(refuseTaken)
  return c.json(renderUser(user))
}

/** The owner of the account is told at the address that was there before. */
async function notifyOfChanges(
  tx: Transaction,
  services: Services,
  before: UserRow,
  { after, hasNewPassword }: { after: UserRow; hasNewPassword: boolean },
): Promise<void> {
  const { email, phone } = after
  if (hasNewPassword) await notifyAccountChange(tx, services, before, 'passwordChanged')
  if (email && email !== before.email) await notifyAccountChange(tx, services, before, 'emailChanged', email)
  if (phone && phone !== before.phone)
    await notifyAccountChange(tx, services, before, 'phoneChanged', phone.slice(-3))
}

async function changeAddresses(
  tx: Transaction,
  before: UserRow,
  fields: UserFields,
  at: string,
): Promise<UserRow> {
  const { email, phone } = fields
  // Who made an account that nobody confirmed is not therefore the owner of the address that it gets now.
  let user = movesTo(before, fields) ? await claimUnconfirmedAccount(tx, before, { at }) : before
  for (const address of newAddresses(before, fields)) await evictUnconfirmedHolder(tx, address)
  if (email && email !== user.email) user = await changeAddress(tx, user, { email }, at)
  if (phone && phone !== user.phone) user = await changeAddress(tx, user, { phone }, at)
  if (fields.email_confirm && !before.email_confirmed_at) user = await confirmAddress(tx, user, 'email', at)
  if (fields.phone_confirm && !before.phone_confirmed_at) user = await confirmAddress(tx, user, 'phone', at)
  // A new address proves nothing about an account that was not confirmed before.
  if (email && !before.email_confirmed_at && !fields.email_confirm) user = await unconfirm(tx, user, 'email')
  if (phone && !before.phone_confirmed_at && !fields.phone_confirm) user = await unconfirm(tx, user, 'phone')
  return user
}

function newAddresses(before: UserRow, { email, phone }: UserFields) {
  return [
    ...(email && email !== before.email ? [{ email }] : []),
    ...(phone && phone !== before.phone ? [{ phone }] : []),
  ]
}

const movesTo = (before: UserRow, fields: UserFields): boolean => newAddresses(before, fields).length > 0

async function unconfirm(tx: Transaction, user: UserRow, provider: 'email' | 'phone'): Promise<UserRow> {
  const facts = { [`${provider}_verified`]: false }
  await mergeIdentity(tx, user.id, provider, facts, user.updated_at)
  await updateUser(tx, user.id, {
    [`${provider}_confirmed_at`]: null,
    raw_user_meta_data: { ...user.raw_user_meta_data, ...facts },
  })
  return reload(tx, user.id)
}

const changedColumns = (user: UserRow, fields: UserFields, now: number) => ({
  ...(fields.role && { role: fields.role }),
  ...(fields.aud && { aud: fields.aud }),
  ...(fields.ban_duration && { banned_until: banUntil(fields.ban_duration, now) }),
  ...(fields.app_metadata && {
    raw_app_meta_data: mergeMetadata(user.raw_app_meta_data, fields.app_metadata),
  }),
  ...(fields.user_metadata && {
    raw_user_meta_data: mergeMetadata(user.raw_user_meta_data, fields.user_metadata),
  }),
})

/** The hash to keep, from a password or a hash; undefined when there is neither. Errors: weak_password. */
async function chosenHash(fields: UserFields, rules: PasswordRules): Promise<string | undefined> {
  if (fields.password && fields.password_hash) {
    throw authErrors.invalid('Only a password or a password hash should be provided')
  }
  if (fields.password === undefined) return fields.password_hash
  await mustBeStrong(fields.password, rules)
  return hashPassword(fields.password)
}

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1e3,
  m: 6e4,
  h: 3.6e6,
}
/** As long as Go's durations can be. */
const LONGEST_MS = 292 * 365.25 * 86_400_000

/** Until when a ban holds: `24h`, `1h30m` (Go's durations), or `none` for no ban. Errors: validation_failed. */
function banUntil(duration: string, now: number): string | null {
  if (duration === 'none') return null
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)]
  const ms = parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (unitMs[unit] ?? 0), 0)
  const isWhole = parts.map(([part]) => part).join('') === duration
  if (parts.length === 0 || !isWhole || ms > LONGEST_MS) {
    throw authErrors.invalid('invalid format for ban duration: a number with h, m or s is needed, or none')
  }
  return new Date(now + ms).toISOString()
}

const DeleteBody = z.object({ should_soft_delete: optional(z.boolean()) })

/** DELETE /admin/users/{id}: the account and everything of it, or (soft) everything but the id. */
export const deleteAnyUser: Endpoint = async (c) => {
  const { db, now } = c.var.services
  const id = userIdOf(c)
  const { should_soft_delete: isSoft } = await readOptionalBody(c, DeleteBody)
  await db.asOwner('delete user', async (tx) => {
    const user = await userToChange(tx, id)
    if (isSoft) await softDeleteUser(tx, user, nowIso({ now }))
    else await deleteUser(tx, id)
    await audit(tx, { action: 'user_deleted', actor: undefined, client: clientOf(c), traits: traitsOf(user) })
  })
  return c.json({})
}

const MAX_PHONE = 15

/** Keeps the id for what refers to it, and nothing that tells who it was. The addresses are free again. */
async function softDeleteUser(tx: Transaction, user: UserRow, at: string): Promise<void> {
  await updateUser(tx, user.id, {
    email: user.email && obscured(user, user.email),
    phone: user.phone && obscured(user, user.phone).slice(0, MAX_PHONE),
    encrypted_password: null,
    raw_user_meta_data: {},
    raw_app_meta_data: {},
    deleted_at: at,
    updated_at: at,
  })
  await tx.query(
    `update auth.identities set identity_data = '{}', provider_id = $2 || ':' || id, updated_at = $3 where user_id = $1`,
    [user.id, 'deleted', at],
  )
  await tx.query('delete from auth.mfa_factors where user_id = $1', [user.id])
  await tx.query('delete from auth.webauthn_credentials where user_id = $1', [user.id])
  await revokeAccess(tx, user.id)
}

const obscured = ({ id }: UserRow, address: string): string =>
  createHash('sha256').update(`${id}:${address}`).digest('base64url')

/** The id in the path. Errors: 404 validation_failed, as GoTrue has it. */
export function userIdOf(c: AuthContext): string {
  const id = c.req.param('id') ?? ''
  if (!isUuid(id)) throw authErrors.notFoundId('user_id must be an UUID')
  return id
}

/** The user, whom nobody else changes meanwhile. Errors: user_not_found. */
export async function userToChange(tx: Transaction, id: string): Promise<UserRow> {
  const user = await findUser(tx, { id }, { lock: true })
  if (!user) throw authErrors.userNotFound()
  return user
}
