import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { isUuid } from '#domain/uuid.ts'
import type { Transaction } from '#server/database/port.ts'
import { type AuthContext, clientOf, type Endpoint, nowIso, type Services } from '../context.ts'
import { authErrors, samlErrors, UnverifiedSignature } from '../errors.ts'
import { type ExternalSignIn, signInWithIdentity } from '../identities/sign-in.ts'
import {
  bindBrowser,
  isSameBrowser,
  redirectTarget,
  redirectWithRefusal,
  STATE_LIFETIME_SECONDS,
} from '../redirects.ts'
import { challengeFields, optional, readBody, readForm } from '../request-body.ts'
import { type Challenge, digest, readChallenge } from '../secrets.ts'
import { issueSessionOrCode, type SessionRedirect, sessionRedirectUrl } from '../sessions/session-redirect.ts'
import { type Assertion, endOfConfirmation, personOf, readAssertion } from './assertion.ts'
import { issuerOfResponse, readMetadata, refreshAfterRefusal } from './metadata.ts'
import { findSsoProvider, type SsoProviderRow } from './providers.ts'
import { decryptionKey, serviceProvider } from './service-provider.ts'

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
  await services.db.asOwner('SAML request', (tx) => insertRelayState(tx, state, nowIso(services)))
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

/** What a response belongs to: a request of ours, or (a setting) none. */
type Expected = Pick<RelayState, 'providerId' | 'redirectTo' | 'challenge'> & {
  requestId: string | undefined
}

/**
 * POST /sso/saml/acs: an identity provider's response. Unless the owner allows others, only those to a request of ours are
 * taken, once: an unsolicited one could sign a victim in to the sender's account.
 */
export const consumeAssertion: Endpoint = async (c) => {
  const form = await readForm(c)
  const state = await takeState(c, form).catch((error) => redirectWithRefusal(c, error))
  if (state instanceof Response) return state
  const provider = `sso:${state.providerId}`
  try {
    const sessionRedirect = await signInByAssertion(c, state, form.SAMLResponse)
    return c.redirect(await sessionRedirectUrl(c.var.services, state.redirectTo, sessionRedirect), 303)
  } catch (error) {
    return redirectWithRefusal(c, error, { provider, target: state.redirectTo })
  }
}

/** Errors: saml_provider_disabled, saml_relay_state_not_found, saml_relay_state_expired, sso_provider_not_found. */
async function takeState(
  c: AuthContext,
  { RelayState: relayState, SAMLResponse: samlResponse }: Record<string, unknown>,
): Promise<Expected> {
  const { db, now, settings } = c.var.services
  if (!settings.saml) throw samlErrors.disabled()
  if (!isUuid(relayState)) {
    if (!settings.samlIdpInitiated) throw samlErrors.begunElsewhere()
    return unsolicited(c, relayState, samlResponse)
  }
  const isBound = isSameBrowser(c, relayState)
  const state = await db.asOwner('SAML response', (tx) => takeRelayState(tx, relayState, now()))
  if (!isBound && !state.challenge) throw samlErrors.otherBrowser()
  return state
}

/** RelayState then says where to go on, if it is an address that redirects may lead to. */
async function unsolicited(c: AuthContext, relayState: unknown, samlResponse: unknown): Promise<Expected> {
  if (typeof samlResponse !== 'string' || !samlResponse) throw samlErrors.noResponse()
  const entityId = await issuerOfResponse(samlResponse)
  const provider = await c.var.services.db.asOwner('find SSO provider', (tx) =>
    findSsoProvider(tx, { entityId }),
  )
  if (!provider) throw samlErrors.noProvider()
  const redirectTo = redirectTarget(c, typeof relayState === 'string' ? relayState : undefined)
  return { providerId: provider.id, redirectTo, challenge: undefined, requestId: undefined }
}

async function signInByAssertion(
  c: AuthContext,
  state: Expected,
  samlResponse: unknown,
): Promise<SessionRedirect> {
  const { services } = c.var
  const { providerId, requestId, redirectTo, challenge } = state
  if (typeof samlResponse !== 'string' || !samlResponse) throw samlErrors.noResponse()
  const known = await services.db.asOwner('find SSO provider', (tx) =>
    findSsoProvider(tx, { id: providerId }),
  )
  if (!known) throw samlErrors.noProvider()
  if (known.disabled) throw samlErrors.providerDisabled()
  const assertion = await readSigned(services, known, { samlResponse, requestId })
  if (requestId === undefined) await takeOnce(services, known, assertion)
  const signIn: ExternalSignIn = {
    provider: `sso:${providerId}`,
    person: personOf(assertion, known.saml.entity_id, known.saml.attribute_mapping ?? {}),
    client: clientOf(c),
    at: nowIso(services),
    redirectTo,
    challenge,
  }
  const session = { method: 'sso/saml', tokens: {}, notAfter: endOf(assertion) } as const
  return signInWithIdentity(services, signIn, (tx, user) =>
    issueSessionOrCode(tx, services, { ...signIn, ...session, user }),
  )
}

/** A signature that fits no certificate may be by a new one, which the metadata's address then tells. */
async function readSigned(
  services: Services,
  provider: SsoProviderRow,
  response: { samlResponse: string; requestId: string | undefined },
): Promise<Assertion> {
  const { db, sealing, now, settings } = services
  const { issuer } = settings
  const key = () => decryptionKey({ db, sealing, issuer })
  const readBy = async (metadata: string) =>
    readAssertion({ ...response, idp: await readMetadata(metadata), issuer, now: now(), key })
  try {
    return await readBy(provider.saml.metadata_xml)
  } catch (error) {
    if (!(error instanceof UnverifiedSignature)) throw error
    const renewed = await refreshAfterRefusal(services, provider)
    if (renewed === undefined) throw error
    return readBy(renewed)
  }
}

/** An assertion that nobody asked for is good once: of two who bring the same one, one is refused. Errors: validation_failed. */
async function takeOnce(
  { db, now }: Services,
  { saml }: SsoProviderRow,
  assertion: Assertion,
): Promise<void> {
  const { affected } = await db.asOwner('unsolicited assertion', async (tx) => {
    await tx.query('delete from platform.saml_assertions where expires_at < $1', [nowIso({ now })])
    return tx.query(
      'insert into platform.saml_assertions (digest, expires_at) values ($1, $2) on conflict do nothing',
      [digest(`${saml.entity_id} ${assertion.$.ID}`), endOfConfirmation(assertion)],
    )
  })
  if (affected === 0) throw samlErrors.repeated()
}

/** When the organisation wants the session to end. */
function endOf({ AuthnStatement: statements }: Assertion): string | undefined {
  const end = statements[0]?.$.SessionNotOnOrAfter
  return end && !Number.isNaN(Date.parse(end)) ? end : undefined
}

/** A request on its way to an identity provider. Its id travels as RelayState. */
interface RelayState {
  id: string
  providerId: string
  /** The response must name it in what is signed. */
  requestId: string
  redirectTo: string
  challenge: Challenge | undefined
}

/** Remembers a request until the response comes; a challenge lies where those of other flows do. */
async function insertRelayState(tx: Transaction, state: RelayState, at: string): Promise<void> {
  await tx.query(`delete from auth.saml_relay_states where created_at < $1::timestamptz - interval '1 day'`, [
    at,
  ])
  const { challenge } = state
  const flowId = challenge ? randomUUID() : null
  if (challenge) {
    await tx.query(
      `insert into auth.flow_state (id, code_challenge, code_challenge_method, provider_type, authentication_method,
         created_at, updated_at) values ($1, $2, $3, $4, 'sso/saml', $5, $5)`,
      [flowId, challenge.value, challenge.method, `sso:${state.providerId}`, at],
    )
  }
  await tx.query(
    `insert into auth.saml_relay_states (id, sso_provider_id, request_id, redirect_to, flow_state_id, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)`,
    [state.id, state.providerId, state.requestId, state.redirectTo, flowId, at],
  )
}

interface Row {
  id: string
  sso_provider_id: string
  request_id: string
  redirect_to: string
  flow_state_id: string | null
  created_at: string
}
interface FlowRow {
  code_challenge: string
  code_challenge_method: Challenge['method']
}

/** The request of a RelayState, which is used up by it. Errors: saml_relay_state_not_found, saml_relay_state_expired. */
async function takeRelayState(tx: Transaction, id: string, now: number): Promise<RelayState> {
  const { rows } = await tx.query<{ state: Row }>(
    'delete from auth.saml_relay_states r where id = $1 returning to_jsonb(r) as state',
    [id],
  )
  const row = rows[0]?.state
  if (!row) throw samlErrors.unknownRelayState()
  const challenge = row.flow_state_id ? await takeChallenge(tx, row.flow_state_id) : undefined
  if (Date.parse(row.created_at) + STATE_LIFETIME_SECONDS * 1000 <= now) throw samlErrors.expiredRelayState()
  return {
    id: row.id,
    providerId: row.sso_provider_id,
    requestId: row.request_id,
    redirectTo: row.redirect_to,
    challenge,
  }
}

async function takeChallenge(tx: Transaction, flowId: string): Promise<Challenge | undefined> {
  const { rows } = await tx.query<FlowRow>(
    'delete from auth.flow_state where id = $1 returning code_challenge, code_challenge_method',
    [flowId],
  )
  const flow = rows[0]
  return flow && { value: flow.code_challenge, method: flow.code_challenge_method }
}
