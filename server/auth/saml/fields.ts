import { z } from 'zod'
import { optional } from '../request-body.ts'
import { readMetadata } from './identity-provider.ts'
import { fetchMetadata } from './metadata-refresh.ts'
import type { SsoProviderFields, SsoProviderRow } from './repository.ts'

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?\//
const name = z.string().min(1).max(500)

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z\d-]{2,63}$/, 'a domain must look like example.org')

const Rule = z.object({
  name: optional(name),
  names: optional(z.array(name).max(20)),
  default: z.unknown().optional(),
  array: optional(z.boolean()),
})

/** Keys under which later code could reach something else than a claim. */
const key = name.refine(
  (word) => !['__proto__', 'constructor', 'prototype'].includes(word),
  'a key is not allowed',
)

/** What POST and PUT /admin/sso/providers take, in GoTrue's words. */
export const ProviderBody = z.object({
  type: optional(z.string()),
  resource_id: optional(name),
  disabled: optional(z.boolean()),
  metadata_url: optional(
    z
      .string()
      .max(2000)
      .refine(
        (text) => URL.canParse(text) && (text.startsWith('https://') || LOOPBACK.test(text)),
        'metadata_url is not a HTTPS URL',
      ),
  ),
  metadata_xml: optional(z.string()),
  domains: optional(z.array(domain).max(100)),
  attribute_mapping: optional(z.object({ keys: optional(z.record(key, Rule)) })),
  name_id_format: optional(name),
})
export type ProviderBody = z.output<typeof ProviderBody>

/** The body as a provider; what it leaves out stays as it is known. Errors: saml_metadata_fetch_failed, validation_failed. */
export async function providerFields(body: ProviderBody, known?: SsoProviderRow): Promise<SsoProviderFields> {
  const given = body.metadata_xml ?? (body.metadata_url && (await fetchMetadata(body.metadata_url)))
  const metadataXml = given ?? known?.saml.metadata_xml ?? ''
  const { entityId } = await readMetadata(metadataXml)
  const domains = body.domains ?? known?.domains.map((entry) => entry.domain) ?? []
  return {
    entityId,
    metadataXml,
    metadataUrl: body.metadata_url ?? (body.metadata_xml ? null : (known?.saml.metadata_url ?? null)),
    resourceId: body.resource_id ?? known?.resource_id ?? null,
    disabled: body.disabled ?? known?.disabled ?? false,
    attributeMapping: (body.attribute_mapping ??
      known?.saml.attribute_mapping ??
      {}) as SsoProviderFields['attributeMapping'],
    nameIdFormat: body.name_id_format ?? known?.saml.name_id_format ?? null,
    domains: [...new Set(domains)],
  }
}
