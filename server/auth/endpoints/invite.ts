import { z } from 'zod'
import { invitedAccount } from '../admin/invitation.ts'
import { audit, traitsOf } from '../audit.ts'
import { clientOf, type Endpoint } from '../context.ts'
import { enqueueLinkEmail } from '../emails.ts'
import { retryOnConflict } from '../errors.ts'
import { redirectTarget } from '../redirects.ts'
import { email, metadata, optional, readBody } from '../request-body.ts'
import { reload } from '../users/accounts.ts'
import { renderUser } from '../users/user.ts'

const Body = z.object({ email, data: optional(metadata) })

/** POST /invite: an account for somebody, and a mail that asks them in. */
export const invite: Endpoint = async (c) => {
  const { services } = c.var
  const { email, data } = await readBody(c, Body)
  const redirectTo = redirectTarget(c)
  const user = await retryOnConflict(() =>
    services.db.asOwner('invite', async (tx) => {
      const user = await invitedAccount(tx, services, { email, data })
      await enqueueLinkEmail(tx, services, { user, email, type: 'invite', redirectTo })
      await audit(tx, {
        action: 'user_invited',
        actor: undefined,
        client: clientOf(c),
        traits: traitsOf(user),
      })
      return reload(tx, user.id)
    }),
  )
  return c.json(renderUser(user))
}
