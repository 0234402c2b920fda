import { z } from 'zod'
import { userIdOf, userToChange } from '../admin/find.ts'
import { audit, traitsOf } from '../audit.ts'
import { clientOf, type Endpoint } from '../context.ts'
import { optional, readOptionalBody } from '../request-body.ts'
import { deleteUser } from '../users/queries.ts'
import { softDeleteUser } from '../users/soft-delete.ts'

const Body = z.object({ should_soft_delete: optional(z.boolean()) })

/** DELETE /admin/users/{id}: the account and everything of it, or (soft) everything but the id. */
export const deleteAnyUser: Endpoint = async (c) => {
  const { db, now } = c.var.services
  const id = userIdOf(c)
  const { should_soft_delete: isSoft } = await readOptionalBody(c, Body)
  await db.asOwner('delete user', async (tx) => {
    const user = await userToChange(tx, id)
    if (isSoft) await softDeleteUser(tx, user, new Date(now()).toISOString())
    else await deleteUser(tx, id)
    await audit(tx, { action: 'user_deleted', actor: undefined, client: clientOf(c), traits: traitsOf(user) })
  })
  return c.json({})
}
