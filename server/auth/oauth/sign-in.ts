import { randomUUID } from 'node:crypto'
import { isUuid } from '#domain/uuid.ts'
import type { Transaction } from '#server/database/port.ts'
import { acceptsHtml } from '#server/http/headers.ts'
import { type AuthContext, clientOf, type Endpoint, nowIso, type Services } from '../context.ts'
import { authErrors, providerErrors } from '../errors.ts'
import { type LinkTarget, linkIdentity } from '../identities/link.ts'
import { type ExternalSignIn, signInWithIdentity } from '../identities/sign-in.ts'
import {
  bindBrowser,
  isSameBrowser,
  redirectTarget,
  redirectWithRefusal,
  STATE_LIFETIME_SECONDS,
} from '../redirects.ts'
import { isStorable, readForm } from '../request-body.ts'
import { type Challenge, readChallenge } from '../secrets.ts'
import { issueSessionOrCode, type SessionRedirect, sessionRedirectUrl } from '../sessions/session-redirect.ts'
import type { UserRow } from '../users/user.ts'
import { type FlowProof, withNameOf } from './provider.ts'

/** GET /authorize: off to a provider, to sign in there. People whom that fails are sent back with the reason. */
export const authorize: Endpoint = (c) => {
  const isPerson = acceptsHtml(c.req.header('accept'))
  return startOAuth(c).catch((error) =>
    redirectWithRefusal(c, error, isPerson ? { target: redirectTarget(c) } : {}),
  )
}

/** Ours, or decisive for whether the answer can be trusted: clients do not choose these. */
const RESERVED_PARAMETERS: ReadonlySet<string> = new Set([
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
async function startOAuth(c: AuthContext, linkTo?: ProviderFlow['linkTo']): Promise<Response> {
  const { services } = c.var
  const query = c.req.query()
  const provider = await services.providers.find(query.provider)
  const challenge = readChallenge({
    code_challenge: query.code_challenge || undefined,
    code_challenge_method: query.code_challenge_method || undefined,
  })
  const redirectTo = redirectTarget(c)
  const flow: ProviderFlow = { id: newFlowId(), provider: provider.name, challenge, redirectTo, linkTo }
  const url = await provider.authorizationUrl({
    proof: proofOf(services, flow.id),
    scopes: (query.scopes ?? '')
      .slice(0, MAX_TEXT)
      .split(/[\s,]+/)
      .filter(Boolean),
    parameters: furtherParameters(query),
  })
  await services.db.asOwner('start OAuth', (tx) => insertProviderFlow(tx, flow, nowIso(services)))
  bindBrowser(c, { flowId: flow.id })
  return isWanted(query.skip_http_redirect) ? c.json({ url: url.href }) : c.redirect(url.href, 302)
}

const isWanted = (value: string | undefined): boolean => value === 'true' || value === '1'

function furtherParameters(query: Record<string, string>): Record<string, string> {
  const further = Object.entries(query).filter(([name]) => !RESERVED_PARAMETERS.has(name))
  const isSensible = ([name, value]: [string, string]) =>
    name.length <= MAX_TEXT && value.length <= MAX_TEXT && isStorable(name + value)
  if (further.length > MAX_PARAMETERS || !further.every(isSensible))
    throw authErrors.invalid('There are too many parameters for the provider, or too long ones')
  return Object.fromEntries(further)
}

/** GET /user/identities/authorize: off to a provider, to add an identity there to one's own account. */
export const authorizeLink: Endpoint = async (c) => {
  const { services, member } = c.var
  if (!services.settings.manualLinking) throw providerErrors.linkingDisabled()
  if (member.user.is_sso_user) throw providerErrors.managedElsewhere()
  return startOAuth(c, { userId: member.user.id, sessionId: member.session.id })
}

/** What providers answer with; everything else in the address is left behind. */
const CALLBACK_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description', 'user']

/**
 * POST /callback: a provider that answers by a form (Apple). The browser is sent on to the same answer as a GET of our
 * own, because a form from elsewhere comes without the cookie that says which browser it is.
 */
export const callbackForm: Endpoint = async (c) => {
  const form = await readForm(c)
  return c.redirect(callbackUrl(c, (name) => form[name]).href, 303)
}

/** GET /callback: somebody comes back from a provider, and goes on to the site: signed in, or with the reason why not. */
export const callback: Endpoint = async (c) => {
  // Programs that look at links must not use them up.
  if (c.req.raw.method === 'HEAD') return c.body(null, 204)
  const flow = await takeFlow(c).catch((error) => redirectWithRefusal(c, error))
  if (flow instanceof Response) return flow
  try {
    return c.redirect(
      await sessionRedirectUrl(c.var.services, flow.redirectTo, await signInFromCallback(c, flow)),
      303,
    )
  } catch (error) {
    return redirectWithRefusal(c, error, { provider: flow.provider, target: flow.redirectTo })
  }
}

/** Errors: bad_oauth_callback, bad_oauth_state: unknown, used, expired, or of another browser. */
async function takeFlow(c: AuthContext): Promise<ProviderFlow> {
  const { db, now } = c.var.services
  const state = c.req.query('state')
  if (!state) throw providerErrors.noState()
  if (!isUuid(state)) throw providerErrors.unknownState()
  const isBound = isSameBrowser(c, state)
  const flow = await db.asOwner('OAuth callback', (tx) => takeProviderFlow(tx, state, now()))
  if (!isBound && (!flow.challenge || flow.linkTo)) throw providerErrors.otherBrowser()
  return flow
}

async function signInFromCallback(c: AuthContext, flow: ProviderFlow): Promise<SessionRedirect> {
  const { services } = c.var
  const provider = await services.providers.find(flow.provider)
  const answer = callbackUrl(c, (name) => c.req.query(name))
  const { person, tokens } = await provider.handleCallback(answer, proofOf(services, flow.id))
  const signIn: ExternalSignIn = {
    provider: flow.provider,
    person: withNameOf(person, c.req.query('user')),
    client: clientOf(c),
    at: nowIso(services),
    redirectTo: flow.redirectTo,
    challenge: flow.challenge,
  }
  const open = (tx: Transaction, user: UserRow) =>
    issueSessionOrCode(tx, services, { ...signIn, user, method: 'oauth', tokens })
  return flow.linkTo
    ? linkIdentity(services, signIn, flow.linkTo, open)
    : signInWithIdentity(services, signIn, open)
}

/** Our own address as the owner has configured it, with the provider's answer. */
function callbackUrl(c: AuthContext, read: (name: string) => unknown): URL {
  const url = new URL(`${c.var.services.settings.issuer}/callback`)
  for (const name of CALLBACK_PARAMETERS) {
    const value = read(name)
    if (typeof value === 'string') url.searchParams.set(name, value)
  }
  return url
}

/** Somebody on the way to a provider. The row's id is the `state`. */
interface ProviderFlow {
  id: string
  provider: string
  /** Of PKCE between the client and us; an implicit flow has none. */
  challenge: Challenge | undefined
  redirectTo: string
  /** The account that the identity shall be added to, and the session in which that was asked for. */
  linkTo: LinkTarget | undefined
}

interface FlowRow {
  id: string
  provider_type: string
  code_challenge: string | null
  code_challenge_method: Challenge['method'] | null
  referrer: string
  linking_target_id: string | null
  linking_session_id: string | null
  created_at: string
}

/** Remembers a request until the answer comes. Those that nobody came back from are forgotten. */
async function insertProviderFlow(tx: Transaction, flow: ProviderFlow, at: string): Promise<void> {
  await tx.query(
    `delete from auth.flow_state where authentication_method = 'oauth' and created_at < $1::timestamptz - interval '1 day'`,
    [at],
  )
  await tx.query(
    `insert into auth.flow_state (id, provider_type, authentication_method, code_challenge, code_challenge_method,
       referrer, linking_target_id, linking_session_id, created_at, updated_at)
     values ($1, $2, 'oauth', $3, $4, $5, $6, $7, $8, $8)`,
    [
      flow.id,
      flow.provider,
      flow.challenge?.value ?? null,
      flow.challenge?.method ?? null,
      flow.redirectTo,
      flow.linkTo?.userId ?? null,
      flow.linkTo?.sessionId ?? null,
      at,
    ],
  )
}

/** The flow of a state, which is used up by it. Errors: bad_oauth_state. */
async function takeProviderFlow(tx: Transaction, state: string, now: number): Promise<ProviderFlow> {
  const { rows } = await tx.query<{ flow: FlowRow }>(
    `delete from auth.flow_state f where id = $1 and authentication_method = 'oauth' and auth_code is null
     returning to_jsonb(f) as flow`,
    [state],
  )
  const flow = rows[0]?.flow
  if (!flow) throw providerErrors.unknownState()
  if (Date.parse(flow.created_at) + STATE_LIFETIME_SECONDS * 1000 <= now) throw providerErrors.expiredState()
  const { code_challenge: value, code_challenge_method: method } = flow
  const { linking_target_id: userId, linking_session_id: sessionId } = flow
  return {
    id: flow.id,
    provider: flow.provider_type,
    challenge: value && method ? { value, method } : undefined,
    redirectTo: flow.referrer,
    linkTo: userId && sessionId ? { userId, sessionId } : undefined,
  }
}

/** What a flow keeps to itself. */
const proofOf = ({ secrets }: Pick<Services, 'secrets'>, id: string): FlowProof => ({
  state: id,
  nonce: secrets.flowSecret('nonce', id),
  verifier: secrets.flowSecret('verifier', id),
})

const newFlowId = (): string => randomUUID()
