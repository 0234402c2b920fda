import type { Transaction } from '#server/database/port.ts'
import { userIdOf, userToChange } from '../admin/find.ts'
import { banUntil, chosenHash, UserFields } from '../admin/user-fields.ts'
import { audit, traitsOf } from '../audit.ts'
import { clientOf } from '../client.ts'
import { refuseTaken } from '../conflicts.ts'
import type { Endpoint } from '../context.ts'
import { readBody } from '../read-body.ts'
import { deleteSessions } from '../sessions/repository.ts'
import { changeAddress, confirmEmail, confirmPhone, mergeMetadata, reload } from '../users/accounts.ts'
import { mergeIdentity } from '../users/identities.ts'
import { renderUser } from '../users/render-user.ts'
import { updateUser } from '../users/repository.ts'
import type { UserRow } from '../users/rows.ts'

/** PUT /admin/users/{id}: what is given changes at once, addresses too; metadata merges. */
export const updateAnyUser: Endpoint = async (c) => {
  const { db, settings, now } = c.var.services
  const id = userIdOf(c)
  const fields = await readBody(c, UserFields)
  const passwordHash = await chosenHash(fields, settings.password)
  const at = new Date(now()).toISOString()
  const user = await db
    .asOwner('update user', async (tx) => {
      const user = await changeAddresses(tx, await userToChange(tx, id), fields, at)
      await updateUser(tx, id, { ...changedColumns(user, fields, now()), updated_at: at })
      if (passwordHash) {
        await updateUser(tx, id, { encrypted_password: passwordHash })
        await deleteSessions(tx, { userId: id })
      }
      await audit(tx, {
        action: 'user_modified',
        actor: undefined,
        client: clientOf(c),
        traits: traitsOf(user),
      })
      return reload(tx, id)
    })
    .catch(refuseTaken)
  return c.json(renderUser(user))
}

async function changeAddresses(
  tx: Transaction,
  before: UserRow,
  fields: UserFields,
  at: string,
): Promise<UserRow> {
  const { email, phone } = fields
  let user = before
  if (email && email !== user.email) user = await changeAddress(tx, user, { email }, at)
  if (phone && phone !== user.phone) user = await changeAddress(tx, user, { phone }, at)
  if (fields.email_confirm && !before.email_confirmed_at) user = await confirmEmail(tx, user, at)
  if (fields.phone_confirm && !before.phone_confirmed_at) user = await confirmPhone(tx, user, at)
  // A new address proves nothing about an account that was not confirmed before.
  if (email && !before.email_confirmed_at && !fields.email_confirm) user = await unconfirm(tx, user, 'email')
  if (phone && !before.phone_confirmed_at && !fields.phone_confirm) user = await unconfirm(tx, user, 'phone')
  return user
}

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
