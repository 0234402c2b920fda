import { audit } from '../audit.ts'
import { clientOf, type Endpoint } from '../context.ts'
import { knownSsoProvider, ssoProviderIdOf } from './find-provider.ts'
import { renderSsoProvider } from './render-provider.ts'
import { deleteSsoProvider } from './repository.ts'

/** DELETE /admin/sso/providers/{id}: its people keep their accounts, and lose this way in. Answers what was deleted. */
export const removeSsoProvider: Endpoint = async (c) => {
  const id = ssoProviderIdOf(c)
  const provider = await c.var.services.db.asOwner('delete SSO provider', async (tx) => {
    const known = await knownSsoProvider(tx, id)
    await deleteSsoProvider(tx, id)
    const traits = { sso_provider_id: id, entity_id: known.saml.entity_id }
    await audit(tx, { action: 'sso_provider_deleted', actor: undefined, client: clientOf(c), traits })
    return known
  })
  return c.json(renderSsoProvider(provider))
}
