import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'

/** Which attributes of an assertion become which claims, in GoTrue's form. */
export interface AttributeMapping {
  keys?: Record<string, { name?: string; names?: string[]; default?: unknown; array?: boolean }>
}

export interface SsoProviderRow {
  id: string
  resource_id: string | null
  disabled: boolean | null
  created_at: string
  updated_at: string
  saml: {
    entity_id: string
    metadata_xml: string
    metadata_url: string | null
    attribute_mapping: AttributeMapping | null
    name_id_format: string | null
  }
  domains: Array<{ domain: string; created_at: string; updated_at: string }>
}

const SELECT = `
  select to_jsonb(p) || jsonb_build_object(
    'saml', to_jsonb(s) - 'id' - 'sso_provider_id',
    'domains', coalesce((
      select jsonb_agg(to_jsonb(d) - 'id' - 'sso_provider_id' order by d.domain)
      from auth.sso_domains d where d.sso_provider_id = p.id
    ), '[]')
  ) as provider
  from auth.sso_providers p join auth.saml_providers s on s.sso_provider_id = p.id`

const conditions = {
  id: 'p.id = $1',
  entityId: 's.entity_id = $1',
  domain: 'p.id = (select d.sso_provider_id from auth.sso_domains d where lower(d.domain) = $1)',
} as const

/** The organisation's provider with that id or name, or for that domain (lower case). */
export async function findSsoProvider(
  tx: Transaction,
  by: { id: string } | { domain: string } | { entityId: string },
): Promise<SsoProviderRow | undefined> {
  const [key, value] = Object.entries(by)[0] as [keyof typeof conditions, string]
  const { rows } = await tx.query<{ provider: SsoProviderRow }>(`${SELECT} where ${conditions[key]}`, [value])
  return rows[0]?.provider
}

export async function listSsoProviders(tx: Transaction): Promise<SsoProviderRow[]> {
  const { rows } = await tx.query<{ provider: SsoProviderRow }>(`${SELECT} order by p.created_at, p.id`)
  return rows.map(({ provider }) => provider)
}

/** What an owner decides about a provider. */
export interface SsoProviderFields {
  resourceId: string | null
  disabled: boolean
  entityId: string
  metadataXml: string
  metadataUrl: string | null
  attributeMapping: AttributeMapping
  nameIdFormat: string | null
  domains: readonly string[]
}

/** Errors: SqlError 23505 when entity, domain or resource id are taken. */
export async function insertSsoProvider(tx: Transaction, fields: SsoProviderFields, at: string) {
  const id = randomUUID()
  await tx.query(
    `insert into auth.sso_providers (id, resource_id, disabled, created_at, updated_at) values ($1, $2, $3, $4, $4)`,
    [id, fields.resourceId, fields.disabled, at],
  )
  await tx.query(
    `insert into auth.saml_providers (id, sso_provider_id, entity_id, metadata_xml, metadata_url, attribute_mapping,
       name_id_format, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [randomUUID(), id, fields.entityId, ...samlValues(fields), at],
  )
  await insertDomains(tx, id, fields.domains, at)
  return id
}

/** The entity stays what it was; everything else is written anew. Errors: SqlError 23505. */
export async function updateSsoProvider(tx: Transaction, id: string, fields: SsoProviderFields, at: string) {
  await tx.query(
    'update auth.sso_providers set resource_id = $2, disabled = $3, updated_at = $4 where id = $1',
    [id, fields.resourceId, fields.disabled, at],
  )
  await tx.query(
    `update auth.saml_providers set metadata_xml = $2, metadata_url = $3, attribute_mapping = $4, name_id_format = $5,
       updated_at = $6 where sso_provider_id = $1`,
    [id, ...samlValues(fields), at],
  )
  await tx.query('delete from auth.sso_domains where sso_provider_id = $1', [id])
  await insertDomains(tx, id, fields.domains, at)
}

/** The provider, and with it everybody whom only it can vouch for loses that way in. */
export async function deleteSsoProvider(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from auth.sso_providers where id = $1', [id])
}

const samlValues = ({ metadataXml, metadataUrl, attributeMapping, nameIdFormat }: SsoProviderFields) => [
  metadataXml,
  metadataUrl,
  JSON.stringify(attributeMapping),
  nameIdFormat,
]

async function insertDomains(tx: Transaction, id: string, domains: readonly string[], at: string) {
  for (const domain of domains) {
    await tx.query(
      `insert into auth.sso_domains (id, sso_provider_id, domain, created_at, updated_at) values ($1, $2, $3, $4, $4)`,
      [randomUUID(), id, domain, at],
    )
  }
}
