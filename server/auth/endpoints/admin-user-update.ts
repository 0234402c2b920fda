import type { Transaction } from '#server/database/port.ts'
import { userIdOf, userToChange } from '../admin/find.ts'
import { banUntil, chosenHash, UserFields } from '../admin/user-fields.ts'
import { audit, traitsOf } from '../audit.ts'
import { clientOf, type Endpoint, type Services } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { refuseTaken } from '../errors.ts'
import { readBody } from '../request-body.ts'
import {
  changeAddress,
  claimUnconfirmedAccount,
  confirmAddress,
  evictUnconfirmedHolder,
  mergeMetadata,
  reload,
  revokeAccess,
  voidPending,
} from '../users/accounts.ts'
import { mergeIdentity, updateUser } from '../users/queries.ts'
import { isBanned, renderUser, type UserRow } from '../users/user.ts'

/** PUT /admin/users/{id}: what is given changes at once, addresses too; metadata merges. */
export const updateAnyUser: Endpoint = async (c) => {
  const { services } = c.var
  const { db, settings, now } = services
  const id = userIdOf(c)
  const fields = await readBody(c, UserFields)
  const passwordHash = await chosenHash(fields, settings.password)
  const at = new Date(now()).toISOString()
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
