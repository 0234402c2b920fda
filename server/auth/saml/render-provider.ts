import { instant } from '../users/user.ts'
import type { SsoProviderRow } from './repository.ts'

/** A provider as GoTrue shows it; lists leave the metadata out, which may be long. */
export function renderSsoProvider(provider: SsoProviderRow, { withMetadata = true } = {}) {
  const { id, resource_id, disabled, saml, domains, created_at, updated_at } = provider
  const times = { created_at: instant(created_at), updated_at: instant(updated_at) }
  return {
    id,
    ...(resource_id && { resource_id }),
    ...(disabled && { disabled }),
    saml: {
      entity_id: saml.entity_id,
      ...(withMetadata && { metadata_xml: saml.metadata_xml }),
      ...(saml.metadata_url && { metadata_url: saml.metadata_url }),
      attribute_mapping: saml.attribute_mapping ?? {},
      ...(saml.name_id_format && { name_id_format: saml.name_id_format }),
    },
    domains: domains.map(({ domain, created_at, updated_at }) => ({
      domain,
      created_at: instant(created_at),
      updated_at: instant(updated_at),
    })),
    ...times,
  }
}
