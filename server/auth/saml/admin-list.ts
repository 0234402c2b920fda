import type { Endpoint } from '../context.ts'
import { renderSsoProvider } from './render-provider.ts'
import { listSsoProviders } from './repository.ts'

/** GET /admin/sso/providers: all organisations, without their metadata. */
export const listAllSsoProviders: Endpoint = async (c) => {
  const providers = await c.var.services.db.asOwner('list SSO providers', listSsoProviders)
  return c.json({ items: providers.map((provider) => renderSsoProvider(provider, { withMetadata: false })) })
}
