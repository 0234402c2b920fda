import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { readChallenge } from '../pkce.ts'
import { bindBrowser, redirectTarget } from '../redirects.ts'
import { isStorable } from '../request-body.ts'
import { insertProviderFlow, newFlowId, type ProviderFlow, proofOf } from './flows.ts'

/** Ours, or decisive for whether the answer can be trusted: clients do not choose these. */
const OURS: ReadonlySet<string> = new Set([
  'apikey',
  'provider',
  'scopes',
  'redirect_to',
  'skip_http_redirect',
  'invite_token',
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
])
const MAX_PARAMETERS = 20
const MAX_TEXT = 500

/**
 * Begins a flow and answers where to go: a redirect, or `{url}` for clients that go there by themselves.
 * @param linkTo the account that the identity shall be added to, and the session that asks
 * Errors: validation_failed; unexpected_failure when the provider does not answer.
 */
export async function depart(c: AuthContext, linkTo?: ProviderFlow['linkTo']): Promise<Response> {
  const { services } = c.var
  const query = c.req.query()
  const provider = await services.providers.find(query.provider)
  const challenge = readChallenge({
    code_challenge: query.code_challenge || undefined,
    code_challenge_method: query.code_challenge_method || undefined,
  })
  const redirectTo = redirectTarget(c)
  const flow: ProviderFlow = { id: newFlowId(), provider: provider.name, challenge, redirectTo, linkTo }
  const url = await provider.departure({
    proof: proofOf(services, flow.id),
    scopes: (query.scopes ?? '')
      .slice(0, MAX_TEXT)
      .split(/[\s,]+/)
      .filter(Boolean),
    parameters: furtherParameters(query),
  })
  await services.db.asOwner('departure to a provider', (tx) =>
    insertProviderFlow(tx, flow, new Date(services.now()).toISOString()),
  )
  bindBrowser(c, { flowId: flow.id })
  return isWanted(query.skip_http_redirect) ? c.json({ url: url.href }) : c.redirect(url.href, 302)
}

const isWanted = (value: string | undefined): boolean => value === 'true' || value === '1'

function furtherParameters(query: Record<string, string>): Record<string, string> {
  const further = Object.entries(query).filter(([name]) => !OURS.has(name))
  const isSensible = ([name, value]: [string, string]) =>
    name.length <= MAX_TEXT && value.length <= MAX_TEXT && isStorable(name + value)
  if (further.length > MAX_PARAMETERS || !further.every(isSensible))
    throw authErrors.invalid('There are too many parameters for the provider, or too long ones')
  return Object.fromEntries(further)
}
