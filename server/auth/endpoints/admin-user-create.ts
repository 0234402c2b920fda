import { banUntil, chosenHash, UserFields } from '../admin/user-fields.ts'
import { audit, traitsOf } from '../audit.ts'
import { clientOf, type Endpoint } from '../context.ts'
import { authErrors, refuseTaken } from '../errors.ts'
import { readBody } from '../request-body.ts'
import { confirmAddress, createAccount } from '../users/accounts.ts'
import { renderUser } from '../users/user.ts'

/** POST /admin/users: an account as the owner wants it, without any mail. */
export const createUser: Endpoint = async (c) => {
  const { db, settings, now } = c.var.services
  const fields = await readBody(c, UserFields)
  const { id, email, phone, role, aud, ban_duration: ban } = fields
  if (!email && !phone) throw authErrors.invalid('Cannot create a user without either an email or phone')
  const passwordHash = await chosenHash(fields, settings.password)
  const at = new Date(now()).toISOString()
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
