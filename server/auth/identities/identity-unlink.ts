import { isUuid } from '#domain/uuid.ts'
import { clientOf, type Endpoint } from '../context.ts'
import { authErrors, providerErrors } from '../errors.ts'
import { unlinkIdentity } from './unlink.ts'

/** DELETE /user/identities/{id}: takes one way in away; the last one stays. */
export const removeIdentity: Endpoint = async (c) => {
  const { services, member } = c.var
  const identityId = (c.req.param('id') ?? '').toLowerCase()
  if (!services.settings.manualLinking) throw providerErrors.linkingDisabled()
  if (!isUuid(identityId)) throw authErrors.notFoundId('identity_id must be an UUID')
  const at = new Date(services.now()).toISOString()
  const unlinking = { member, identityId, client: clientOf(c), at }
  await services.db.asOwner('unlink identity', (tx) => unlinkIdentity(tx, services, unlinking))
  return c.json({})
}
