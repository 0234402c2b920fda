import { X509Certificate } from 'node:crypto'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Database } from '#server/database/port.ts'
import { outboundFetch } from '#server/http/outbound-fetch.ts'
import { audit } from '../audit.ts'
import { nowIso } from '../context.ts'
import { samlErrors } from '../errors.ts'
import { listSsoProviders, type SsoProviderRow } from './providers.ts'

/** What an organisation's metadata says about its identity provider. */
export interface IdentityProviderFacts {
  entityId: string
  /** Where the browser is sent (HTTP-Redirect). */
  entryPoint: string
  /** PEM; any of them may have signed. */
  certificates: string[]
}

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

const Text = z.object({ _: z.string() })
const KeyInfo = z.object({ X509Data: z.array(z.object({ X509Certificate: z.array(Text) })) })
const Descriptor = z.object({
  KeyDescriptor: z.array(
    z.object({ $: z.object({ use: z.string().optional() }).optional(), KeyInfo: z.array(KeyInfo) }),
  ),
  SingleSignOnService: z.array(z.object({ $: z.object({ Binding: z.string(), Location: z.string() }) })),
})
const Metadata = z.object({
  EntityDescriptor: z.object({
    $: z.object({ entityID: z.string().min(1).max(1024) }),
    IDPSSODescriptor: z.array(Descriptor).min(1),
  }),
})

/** Reads metadata (SAML 2.0 Metadata, 2.4.3). Errors: validation_failed, with what is missing. */
export async function readMetadata(xml: string): Promise<IdentityProviderFacts> {
  const parsed = Metadata.safeParse(await parse(xml))
  if (!parsed.success) throw samlErrors.badMetadata('it describes no single identity provider', parsed.error)
  const { $, IDPSSODescriptor: descriptors } = parsed.data.EntityDescriptor
  const services = descriptors.flatMap((descriptor) => descriptor.SingleSignOnService)
  const entryPoint = services.find((service) => service.$.Binding === REDIRECT)?.$.Location ?? ''
  // The site goes to this address: one that is a program would run there.
  if (!/^https?:\/\//i.test(entryPoint) || !URL.canParse(entryPoint))
    throw samlErrors.badMetadata('it has no address for HTTP-Redirect')
  const certificates = descriptors.flatMap(certificatesOf)
  if (certificates.length === 0) throw samlErrors.badMetadata('it has no certificate for signatures')
  return { entityId: $.entityID, entryPoint, certificates }
}

const parse = (xml: string): Promise<unknown> =>
  readXml(xml).catch((error) => {
    throw samlErrors.badMetadata('it cannot be read', error)
  })

const certificatesOf = ({ KeyDescriptor: keys }: z.output<typeof Descriptor>): string[] =>
  keys
    .filter(({ $ }) => $?.use === undefined || $.use === 'signing')
    .flatMap(({ KeyInfo: infos }) => infos.flatMap(({ X509Data }) => X509Data))
    .flatMap(({ X509Certificate: texts }) => texts.map(({ _ }) => toPem(_)))

function toPem(base64: string): string {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).toString()
  } catch (error) {
    throw samlErrors.badMetadata('one of its certificates cannot be read', error)
  }
}

const Sender = z.object({ Response: z.object({ Issuer: z.array(z.object({ _: z.string() })).length(1) }) })

/**
 * Who a response (base64) says it is from: nothing but a name to look certificates up by. Errors: validation_failed.
 */
export async function issuerOfResponse(samlResponse: string): Promise<string> {
  const xml = Buffer.from(samlResponse, 'base64').toString('utf8')
  const parsed = Sender.safeParse(await readXml(xml).catch(() => undefined))
  const issuer = parsed.data?.Response.Issuer[0]?._
  if (!issuer) throw samlErrors.badResponse('it names no issuer')
  return issuer
}

/** XML that may not be read at all. */
export class UnsafeXml extends Error {}

/**
 * Refuses what neither SAML messages nor metadata need: a document type brings entities (which grow, or read files), a
 * processing instruction a style sheet. Asked for before any parser sees the text.
 */
export function mustBePlainXml(xml: string): void {
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) throw new UnsafeXml('document types are not allowed')
  if (/<\?(?!xml\s)/i.test(xml)) throw new UnsafeXml('processing instructions are not allowed')
  if (xml.includes('\0') || !xml.isWellFormed()) throw new UnsafeXml('it holds characters that are no text')
}

/** Elements by local name: `$` attributes, `_` text, children as lists. Errors: UnsafeXml; the parser's own. */
async function readXml(xml: string): Promise<unknown> {
  mustBePlainXml(xml)
  // Loaded with the first metadata: few sites have single sign-on.
  const { parseXml2JsFromString } = await import('@node-saml/node-saml/lib/xml.js')
  return parseXml2JsFromString(xml)
}

/** As often as GoTrue: certificates are announced longer before they are used. */
const STALE_SECONDS = 23 * 3600
/** A response whose signature does not verify may be the first by a new certificate, or anybody's. */
const AFTER_REFUSAL_SECONDS = 60
const MAX_PROBLEM = 300

interface Refresh {
  db: Database
  log: Logger
  /** Milliseconds since 1970. */
  now: () => number
}

/** The metadata at an address. Errors: saml_metadata_fetch_failed. */
export async function fetchMetadata(url: string): Promise<string> {
  try {
    const response = await outboundFetch(url)
    if (!response.ok) throw new Error(`the metadata's address answered ${response.status}`)
    return await response.text()
  } catch (error) {
    throw samlErrors.metadataNotFetched(error)
  }
}

/** Reads again whatever metadata is a day old. Returns how many have changed; a failure keeps what was there. */
export async function refreshStaleMetadata(refresh: Refresh): Promise<number> {
  const providers = await refresh.db.asOwner('SSO providers', listSsoProviders)
  let changed = 0
  for (const provider of providers) {
    const xml = await refreshMetadata(refresh, provider, STALE_SECONDS)
    if (xml !== undefined) changed++
  }
  return changed
}

/** After a signature that does not verify: once a minute for a provider, however many such responses there are. */
export const refreshAfterRefusal = (refresh: Refresh, provider: SsoProviderRow) =>
  refreshMetadata(refresh, provider, AFTER_REFUSAL_SECONDS)

/** The new metadata; undefined when it is the same, was tried too lately, has no address, or cannot be had. */
async function refreshMetadata(
  refresh: Refresh,
  provider: SsoProviderRow,
  everySeconds: number,
): Promise<string | undefined> {
  const { metadata_url: url, metadata_xml: known, entity_id: entityId } = provider.saml
  if (!url || provider.disabled || !(await mayTry(refresh, provider.id, everySeconds))) return undefined
  try {
    const xml = await fetchMetadata(url)
    const facts = await readMetadata(xml)
    if (facts.entityId !== entityId) throw samlErrors.entityIdMismatch()
    const isNew = xml !== known && (await keep(refresh, provider, xml))
    await noteProblem(refresh, provider.id, null)
    return isNew ? xml : undefined
  } catch (error) {
    refresh.log.warn({ err: error, ssoProvider: provider.id }, 'SAML metadata could not be read again')
    const problem = error instanceof Error ? error.message : String(error)
    await noteProblem(refresh, provider.id, problem.slice(0, MAX_PROBLEM))
    return undefined
  }
}

/** Takes the turn of this interval: of processes that try at once, one is told true. */
const mayTry = ({ db, now }: Refresh, id: string, everySeconds: number): Promise<boolean> =>
  db.asOwner('SAML metadata', async (tx) => {
    const { affected } = await tx.query(
      `insert into platform.saml_metadata_reads as last (sso_provider_id, tried_at) values ($1, $2)
       on conflict (sso_provider_id) do update set tried_at = excluded.tried_at
       where last.tried_at <= excluded.tried_at - make_interval(secs => $3)`,
      [id, nowIso({ now }), everySeconds],
    )
    return affected > 0
  })

const noteProblem = ({ db }: Refresh, id: string, problem: string | null) =>
  db.asOwner('SAML metadata', (tx) =>
    tx.query('update platform.saml_metadata_reads set problem = $2 where sso_provider_id = $1', [
      id,
      problem,
    ]),
  )

/** False: the owner has changed the provider meanwhile. */
const keep = ({ db, now }: Refresh, { id, saml }: SsoProviderRow, xml: string): Promise<boolean> =>
  db.asOwner('SAML metadata', async (tx) => {
    const { affected } = await tx.query(
      `update auth.saml_providers set metadata_xml = $2, updated_at = $3
       where sso_provider_id = $1 and metadata_url = $4 and metadata_xml = $5`,
      [id, xml, nowIso({ now }), saml.metadata_url, saml.metadata_xml],
    )
    if (affected === 0) return false
    const traits = { sso_provider_id: id, entity_id: saml.entity_id, changed: 'metadata' }
    const client = { address: undefined, userAgent: '' }
    await audit(tx, { action: 'sso_provider_updated', actor: undefined, client, traits })
    return true
  })
