import type { Endpoint } from '../context.ts'
import { providerErrors } from '../errors.ts'
import { depart } from '../oauth/depart.ts'

/** GET /user/identities/authorize: off to a provider, to add an identity there to one's own account. */
export const authorizeLink: Endpoint = async (c) => {
  const { services, member } = c.var
  if (!services.settings.manualLinking) throw providerErrors.linkingDisabled()
  if (member.user.is_sso_user) throw providerErrors.managedElsewhere()
  return depart(c, { userId: member.user.id, sessionId: member.session.id })
}
