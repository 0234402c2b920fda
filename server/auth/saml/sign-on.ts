import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AuthContext, Endpoint } from '../context.ts'
import { authErrors, samlErrors } from '../errors.ts'
import { readChallenge } from '../pkce.ts'
import { bindBrowser, redirectTarget } from '../redirects.ts'
import { challengeFields, optional, readBody } from '../request-body.ts'
import { readMetadata } from './identity-provider.ts'
import { insertRelayState, type RelayState } from './relay-states.ts'
import { findSsoProvider, type SsoProviderRow } from './repository.ts'
import { serviceProvider } from './service-provider.ts'

const Body = z.object({
  provider_id: optional(z.uuid('provider_id must be an UUID').toLowerCase()),
  domain: optional(z.string().max(253).toLowerCase()),
  redirect_to: optional(z.string()),
  skip_http_redirect: optional(z.boolean()),
  ...challengeFields,
})
type Body = z.output<typeof Body>

/** POST /sso: off to the identity provider of an organisation, which is found by its id or by its domain. */
export const signOn: Endpoint = async (c) => {
  const { services } = c.var
  if (!services.settings.saml) throw samlErrors.disabled()
  const body = await readBody(c, Body)
  const challenge = readChallenge(body)
  const provider = await findProvider(c, body)
  const state: RelayState = {
    id: randomUUID(),
    providerId: provider.id,
    requestId: `_${randomUUID()}`,
    redirectTo: redirectTarget(c, body.redirect_to),
    challenge,
  }
  const url = await requestUrl(services.settings.issuer, provider, state)
  await services.db.asOwner('departure to an organisation', (tx) =>
    insertRelayState(tx, state, new Date(services.now()).toISOString()),
  )
  bindBrowser(c, { flowId: state.id, acrossSites: true })
  return body.skip_http_redirect ? c.json({ url }) : c.redirect(url, 303)
}

/** Errors: validation_failed for neither or both, sso_provider_not_found, sso_provider_disabled. */
async function findProvider(c: AuthContext, { provider_id: id, domain }: Body): Promise<SsoProviderRow> {
  if (!id && !domain) throw authErrors.invalid('A provider_id or domain needs to be provided')
  if (id && domain) throw authErrors.invalid('Only one of provider_id or domain should be provided')
  const by = id ? { id } : { domain: domain ?? '' }
  const provider = await c.var.services.db.asOwner('find SSO provider', (tx) => findSsoProvider(tx, by))
  if (!provider) throw id ? samlErrors.noProvider() : samlErrors.noDomain()
  if (provider.disabled) throw samlErrors.providerDisabled()
  return provider
}

async function requestUrl(issuer: string, { saml }: SsoProviderRow, { id, requestId }: RelayState) {
  const idp = await readMetadata(saml.metadata_xml)
  const sp = await serviceProvider({ issuer, idp, nameIdFormat: saml.name_id_format, requestId })
  return sp.getAuthorizeUrlAsync(id, undefined, {})
}
