import { audit } from '../audit.ts'
import { clientOf, type Endpoint } from '../context.ts'
import { authErrors } from '../errors.ts'
import { deleteSessions } from '../sessions/repository.ts'

/** POST /logout: ends all of the user's sessions (`global`), this one (`local`), or all but this one (`others`). */
export const logOut: Endpoint = async (c) => {
  const { services, member } = c.var
  const { user, session } = member
  const scope = c.req.query('scope') || 'global'
  if (!['global', 'local', 'others'].includes(scope)) {
    throw authErrors.invalid(`Unsupported logout scope "${scope.slice(0, 20)}"`)
  }
  await services.db.asOwner('sign-out', async (tx) => {
    if (scope === 'local') await deleteSessions(tx, { id: session.id })
    else await deleteSessions(tx, { userId: user.id, ...(scope === 'others' && { except: session.id }) })
    await audit(tx, { action: 'logout', actor: user, client: clientOf(c), traits: { scope } })
  })
  return c.body(null, 204)
}
