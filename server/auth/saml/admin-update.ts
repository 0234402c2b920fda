import { audit } from '../audit.ts'
import { clientOf, type Endpoint } from '../context.ts'
import { authErrors, samlErrors } from '../errors.ts'
import { readBody } from '../request-body.ts'
import { ProviderBody, providerFields } from './fields.ts'
import { knownSsoProvider, refuseTakenProvider, ssoProviderIdOf } from './find-provider.ts'
import { renderSsoProvider } from './render-provider.ts'
import { updateSsoProvider } from './repository.ts'

/** PUT /admin/sso/providers/{id}: what is left out stays; the EntityID stays always. */
export const changeSsoProvider: Endpoint = async (c) => {
  const { db, now } = c.var.services
  const id = ssoProviderIdOf(c)
  const body = await readBody(c, ProviderBody)
  if (body.metadata_url && body.metadata_xml)
    throw authErrors.invalid('Only one of metadata_xml or metadata_url needs to be set')
  const known = await db.asOwner('get SSO provider', (tx) => knownSsoProvider(tx, id))
  // Metadata may have to be fetched: never inside a transaction.
  const fields = await providerFields(body, known)
  if (fields.entityId !== known.saml.entity_id) throw samlErrors.entityIdMismatch()
  const at = new Date(now()).toISOString()
  const provider = await db
    .asOwner('update SSO provider', async (tx) => {
      await updateSsoProvider(tx, id, fields, at)
      const traits = { sso_provider_id: id, entity_id: fields.entityId }
      await audit(tx, { action: 'sso_provider_updated', actor: undefined, client: clientOf(c), traits })
      return knownSsoProvider(tx, id)
    })
    .catch(refuseTakenProvider)
  return c.json(renderSsoProvider(provider))
}
