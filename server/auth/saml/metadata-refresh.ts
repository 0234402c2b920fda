import type { Logger } from 'pino'
import type { Database } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import { samlErrors } from '../errors.ts'
import { outboundFetch } from '../oauth/outbound-fetch.ts'
import { readMetadata } from './identity-provider.ts'
import { listSsoProviders, type SsoProviderRow } from './repository.ts'

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
      [id, new Date(now()).toISOString(), everySeconds],
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
      [id, xml, new Date(now()).toISOString(), saml.metadata_url, saml.metadata_xml],
    )
    if (affected === 0) return false
    const traits = { sso_provider_id: id, entity_id: saml.entity_id, changed: 'metadata' }
    const client = { address: undefined, userAgent: '' }
    await audit(tx, { action: 'sso_provider_updated', actor: undefined, client, traits })
    return true
  })
