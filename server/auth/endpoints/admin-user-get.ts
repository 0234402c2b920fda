import { userIdOf } from '../admin/find.ts'
import type { Endpoint } from '../context.ts'
import { authErrors } from '../errors.ts'
import { findUser } from '../users/queries.ts'
import { renderUser } from '../users/user.ts'

/** GET /admin/users/{id} */
export const getAnyUser: Endpoint = async (c) => {
  const id = userIdOf(c)
  const user = await c.var.services.db.asOwner('get user', (tx) => findUser(tx, { id }))
  if (!user) throw authErrors.userNotFound()
  return c.json(renderUser(user))
}
