import { audit } from '../audit.ts'
import { clientOf, type Endpoint } from '../context.ts'
import { authErrors } from '../errors.ts'
import { readBody } from '../request-body.ts'
import { ProviderBody, providerFields } from './fields.ts'
import { knownSsoProvider, refuseTakenProvider } from './find-provider.ts'
import { renderSsoProvider } from './render-provider.ts'
import { insertSsoProvider } from './repository.ts'

/** POST /admin/sso/providers: an organisation brings its identity provider. */
export const createSsoProvider: Endpoint = async (c) => {
  const { db, now } = c.var.services
  const body = await readBody(c, ProviderBody)
  if (body.type !== 'saml') throw authErrors.invalid("Only 'saml' supported for SSO provider type")
  if (!body.metadata_url === !body.metadata_xml)
    throw authErrors.invalid('Exactly one of metadata_xml or metadata_url needs to be set')
  const fields = await providerFields(body)
  const at = new Date(now()).toISOString()
  const provider = await db
    .asOwner('create SSO provider', async (tx) => {
      const id = await insertSsoProvider(tx, fields, at)
      const traits = { sso_provider_id: id, entity_id: fields.entityId }
      await audit(tx, { action: 'sso_provider_created', actor: undefined, client: clientOf(c), traits })
      return knownSsoProvider(tx, id)
    })
    .catch(refuseTakenProvider)
  return c.json(renderSsoProvider(provider), 201)
}
