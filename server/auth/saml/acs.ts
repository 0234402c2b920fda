import { isUuid } from '#domain/uuid.ts'
import { type AuthContext, clientOf, type Endpoint, type Services } from '../context.ts'
import { samlErrors, UnverifiedSignature } from '../errors.ts'
import type { Arrival } from '../identities/arrival.ts'
import { enter } from '../identities/enter.ts'
import { isSameBrowser, redirectTarget, redirectWithRefusal } from '../redirects.ts'
import { readForm } from '../request-body.ts'
import { digest } from '../secrets.ts'
import { issueSessionOrCode, type SessionRedirect, sessionRedirectUrl } from '../sessions/session-redirect.ts'
import { type Assertion, endOfConfirmation, readAssertion } from './assertion.ts'
import { decryptionKey } from './decryption.ts'
import { issuerOfResponse, readMetadata } from './identity-provider.ts'
import { refreshAfterRefusal } from './metadata-refresh.ts'
import { personOf } from './person.ts'
import { type RelayState, takeRelayState } from './relay-states.ts'
import { findSsoProvider, type SsoProviderRow, takeAssertion } from './repository.ts'

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
    const landing = await arrive(c, state, form.SAMLResponse)
    return c.redirect(await sessionRedirectUrl(c.var.services, state.redirectTo, landing), 303)
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
  const state = await db.asOwner('return from an organisation', (tx) => takeRelayState(tx, relayState, now()))
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

async function arrive(c: AuthContext, state: Expected, samlResponse: unknown): Promise<SessionRedirect> {
  const { services } = c.var
  const { providerId, requestId, redirectTo, challenge } = state
  if (typeof samlResponse !== 'string' || !samlResponse) throw samlErrors.noResponse()
  const known = await services.db.asOwner('find SSO provider', (tx) =>
    findSsoProvider(tx, { id: providerId }),
  )
  if (!known) throw samlErrors.noProvider()
  if (known.disabled) throw samlErrors.providerDisabled()
  const assertion = await verified(services, known, { samlResponse, requestId })
  if (requestId === undefined) await takeOnce(services, known, assertion)
  const arrival: Arrival = {
    provider: `sso:${providerId}`,
    person: personOf(assertion, known.saml.entity_id, known.saml.attribute_mapping ?? {}),
    client: clientOf(c),
    at: new Date(services.now()).toISOString(),
    redirectTo,
    challenge,
  }
  const entry = { method: 'sso/saml', tokens: {}, notAfter: endOf(assertion), challenge } as const
  const { provider, client } = arrival
  return enter(services, arrival, (tx, user) =>
    issueSessionOrCode(tx, services, { ...entry, provider, client, user }),
  )
}

/** A signature that fits no certificate may be by a new one, which the metadata's address then tells. */
async function verified(
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

/** Errors: validation_failed for one that was used before. */
async function takeOnce({ db, now }: Services, { saml }: SsoProviderRow, assertion: Assertion) {
  const taken = await db.asOwner('unsolicited assertion', (tx) =>
    takeAssertion(tx, {
      digest: digest(`${saml.entity_id} ${assertion.$.ID}`),
      until: endOfConfirmation(assertion),
      now: new Date(now()).toISOString(),
    }),
  )
  if (!taken) throw samlErrors.repeated()
}

/** When the organisation wants the session to end. */
function endOf({ AuthnStatement: statements }: Assertion): string | undefined {
  const wish = statements[0]?.$.SessionNotOnOrAfter
  return wish && !Number.isNaN(Date.parse(wish)) ? wish : undefined
}
