import { z } from 'zod'
import { isUuid } from '#domain/uuid.ts'
import { isUniqueViolation, type Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import { type AuthContext, clientOf, type Endpoint, nowIso } from '../context.ts'
import { authErrors, samlErrors } from '../errors.ts'
import { optional, readBody } from '../request-body.ts'
import { instant } from '../users/user.ts'
import { fetchMetadata, readMetadata } from './metadata.ts'
import {
  deleteSsoProvider,
  findSsoProvider,
  insertSsoProvider,
  listSsoProviders,
  type SsoProviderFields,
  type SsoProviderRow,
  updateSsoProvider,
} from './providers.ts'

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
const ProviderBody = z.object({
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
type ProviderBody = z.output<typeof ProviderBody>

/** GET /admin/sso/providers: all organisations, without their metadata. */
export const listAllSsoProviders: Endpoint = async (c) => {
  const providers = await c.var.services.db.asOwner('list SSO providers', listSsoProviders)
  return c.json({ items: providers.map((provider) => renderSsoProvider(provider, { withMetadata: false })) })
}

/** GET /admin/sso/providers/{id} */
export const getSsoProvider: Endpoint = async (c) => {
  const id = ssoProviderIdOf(c)
  const provider = await c.var.services.db.asOwner('get SSO provider', (tx) => knownSsoProvider(tx, id))
  return c.json(renderSsoProvider(provider))
}

/** POST /admin/sso/providers: an organisation brings its identity provider. */
export const createSsoProvider: Endpoint = async (c) => {
  const { db, now } = c.var.services
  const body = await readBody(c, ProviderBody)
  if (body.type !== 'saml') throw authErrors.invalid("Only 'saml' supported for SSO provider type")
  if (!body.metadata_url === !body.metadata_xml)
    throw authErrors.invalid('Exactly one of metadata_xml or metadata_url needs to be set')
  const fields = await providerFields(body)
  const at = nowIso({ now })
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
  const at = nowIso({ now })
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

/** The id in the path. Errors: 404 validation_failed. */
function ssoProviderIdOf(c: AuthContext): string {
  const id = c.req.param('id') ?? ''
  if (!isUuid(id)) throw authErrors.notFoundId('idp_id must be an UUID')
  return id
}

/** Errors: sso_provider_not_found. */
async function knownSsoProvider(tx: Transaction, id: string): Promise<SsoProviderRow> {
  const provider = await findSsoProvider(tx, { id })
  if (!provider) throw samlErrors.noProvider()
  return provider
}

/** What is taken, in the protocol's words. Errors: saml_idp_already_exists, sso_domain_already_exists. */
function refuseTakenProvider(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  if (error.constraint?.includes('domain')) throw samlErrors.domainExists()
  if (error.constraint?.includes('resource_id')) throw samlErrors.resourceIdExists()
  throw samlErrors.idpExists()
}

/** The body as a provider; what it leaves out stays as it is known. Errors: saml_metadata_fetch_failed, validation_failed. */
async function providerFields(body: ProviderBody, known?: SsoProviderRow): Promise<SsoProviderFields> {
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

/** A provider as GoTrue shows it; lists leave the metadata out, which may be long. */
function renderSsoProvider(provider: SsoProviderRow, { withMetadata = true } = {}) {
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
