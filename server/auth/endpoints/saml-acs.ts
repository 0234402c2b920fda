import { isSameBrowser } from '../browser-binding.ts'
import { clientOf } from '../client.ts'
import type { AuthContext, Endpoint } from '../context.ts'
import type { Arrival } from '../identities/arrival.ts'
import { enter } from '../identities/enter.ts'
import { type Landing, landAt, openEntry } from '../landing.ts'
import { refuseReturn } from '../refuse-return.ts'
import { type Assertion, readAssertion } from '../sso/assertion.ts'
import { ssoErrors } from '../sso/errors.ts'
import { readMetadata } from '../sso/identity-provider.ts'
import { personOf } from '../sso/person.ts'
import { type RelayState, takeRelayState } from '../sso/relay-states.ts'
import { findSsoProvider } from '../sso/repository.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/**
 * POST /sso/saml/acs: an identity provider's response. Only those to a request of ours are taken, once: an unsolicited
 * one could sign a victim in to the sender's account.
 */
export const consumeAssertion: Endpoint = async (c) => {
  const form = await c.req.parseBody()
  const state = await takeState(c, form.RelayState).catch((error) => refuseReturn(c, error))
  if (state instanceof Response) return state
  const provider = `sso:${state.providerId}`
  try {
    const landing = await arrive(c, state, form.SAMLResponse)
    return c.redirect(await landAt(c.var.services, state.redirectTo, landing), 303)
  } catch (error) {
    return refuseReturn(c, error, { provider, target: state.redirectTo })
  }
}

/** Errors: saml_provider_disabled, saml_relay_state_not_found, saml_relay_state_expired. */
async function takeState(c: AuthContext, relayState: unknown): Promise<RelayState> {
  const { db, now, settings } = c.var.services
  if (!settings.saml) throw ssoErrors.disabled()
  if (typeof relayState !== 'string' || !UUID.test(relayState)) throw ssoErrors.begunElsewhere()
  const isBound = isSameBrowser(c, relayState)
  const state = await db.asOwner('return from an organisation', (tx) => takeRelayState(tx, relayState, now()))
  if (!isBound && !state.challenge) throw ssoErrors.otherBrowser()
  return state
}

async function arrive(c: AuthContext, state: RelayState, samlResponse: unknown): Promise<Landing> {
  const { services } = c.var
  const { providerId, requestId, redirectTo, challenge } = state
  if (typeof samlResponse !== 'string' || !samlResponse) throw ssoErrors.noResponse()
  const known = await services.db.asOwner('find SSO provider', (tx) =>
    findSsoProvider(tx, { id: providerId }),
  )
  if (!known) throw ssoErrors.noProvider()
  if (known.disabled) throw ssoErrors.providerDisabled()
  const idp = await readMetadata(known.saml.metadata_xml)
  const { issuer } = services.settings
  const assertion = await readAssertion({ samlResponse, requestId, idp, issuer, now: services.now() })
  const arrival: Arrival = {
    provider: `sso:${providerId}`,
    person: personOf(assertion, idp.entityId, known.saml.attribute_mapping ?? {}),
    client: clientOf(c),
    at: new Date(services.now()).toISOString(),
    redirectTo,
    challenge,
  }
  const entry = { method: 'sso/saml', tokens: {}, notAfter: endOf(assertion), challenge } as const
  const { provider, client } = arrival
  return enter(services, arrival, (tx, user) => openEntry(tx, services, { ...entry, provider, client, user }))
}

/** When the organisation wants the session to end. */
function endOf({ AuthnStatement: statements }: Assertion): string | undefined {
  const wish = statements[0]?.$.SessionNotOnOrAfter
  return wish && !Number.isNaN(Date.parse(wish)) ? wish : undefined
}
