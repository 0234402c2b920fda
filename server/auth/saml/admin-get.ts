import type { Endpoint } from '../context.ts'
import { knownSsoProvider, ssoProviderIdOf } from './find-provider.ts'
import { renderSsoProvider } from './render-provider.ts'

/** GET /admin/sso/providers/{id} */
export const getSsoProvider: Endpoint = async (c) => {
  const id = ssoProviderIdOf(c)
  const provider = await c.var.services.db.asOwner('get SSO provider', (tx) => knownSsoProvider(tx, id))
  return c.json(renderSsoProvider(provider))
}
