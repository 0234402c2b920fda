import { isUuid } from '#domain/uuid.ts'
import { type AuthContext, clientOf, type Endpoint } from '../context.ts'
import { providerErrors, retryOnConflict } from '../errors.ts'
import type { Arrival } from '../identities/arrival.ts'
import { enter } from '../identities/enter.ts'
import { linkIdentity } from '../identities/link.ts'
import { isSameBrowser, redirectWithRefusal } from '../redirects.ts'
import { readForm } from '../request-body.ts'
import { issueSessionOrCode, type SessionRedirect, sessionRedirectUrl } from '../sessions/session-redirect.ts'
import { type ProviderFlow, proofOf, takeProviderFlow } from './flows.ts'
import { withNameOf } from './person.ts'
import type { ProviderTokens } from './port.ts'

/** What providers answer with; everything else in the address is left behind. */
const ANSWER = ['code', 'state', 'iss', 'error', 'error_description', 'user']

/**
 * POST /callback: a provider that answers by a form (Apple). The browser is sent on to the same answer as a GET of our
 * own, because a form from elsewhere comes without the cookie that says which browser it is.
 */
export const takeForm: Endpoint = async (c) => {
  const form = await readForm(c)
  return c.redirect(callbackWith(c, (name) => form[name]).href, 303)
}

/** GET /callback: somebody comes back from a provider, and goes on to the site: signed in, or with the reason why not. */
export const callback: Endpoint = async (c) => {
  // Programs that look at links must not use them up.
  if (c.req.raw.method === 'HEAD') return c.body(null, 204)
  const flow = await takeFlow(c).catch((error) => redirectWithRefusal(c, error))
  if (flow instanceof Response) return flow
  try {
    return c.redirect(await sessionRedirectUrl(c.var.services, flow.redirectTo, await arrive(c, flow)), 303)
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
  const flow = await db.asOwner('return from a provider', (tx) => takeProviderFlow(tx, state, now()))
  if (!isBound && (!flow.challenge || flow.linkTo)) throw providerErrors.otherBrowser()
  return flow
}

async function arrive(c: AuthContext, flow: ProviderFlow): Promise<SessionRedirect> {
  const { services } = c.var
  const provider = await services.providers.find(flow.provider)
  const answer = callbackWith(c, (name) => c.req.query(name))
  const { person, tokens } = await provider.arrival(answer, proofOf(services, flow.id))
  const arrival: Arrival = {
    provider: flow.provider,
    person: withNameOf(person, c.req.query('user')),
    client: clientOf(c),
    at: new Date(services.now()).toISOString(),
    redirectTo: flow.redirectTo,
    challenge: flow.challenge,
  }
  return flow.linkTo
    ? link(c, arrival, { ...flow.linkTo, tokens })
    : enter(services, arrival, (tx, user) =>
        issueSessionOrCode(tx, services, { ...entryOf(arrival, tokens), user }),
      )
}

const link = ({ var: { services } }: AuthContext, arrival: Arrival, { tokens, ...linkTo }: Linking) =>
  retryOnConflict(() =>
    services.db.asOwner('link identity', async (tx) => {
      const user = await linkIdentity(tx, services, linkTo, arrival)
      return issueSessionOrCode(tx, services, { ...entryOf(arrival, tokens), user })
    }),
  )

interface Linking {
  userId: string
  sessionId: string
  tokens: ProviderTokens
}

const entryOf = ({ provider, challenge, client }: Arrival, tokens: ProviderTokens) =>
  ({ provider, challenge, client, tokens, method: 'oauth' }) as const

/** Our own address as the owner has configured it, with the provider's answer. */
function callbackWith(c: AuthContext, read: (name: string) => unknown): URL {
  const url = new URL(`${c.var.services.settings.issuer}/callback`)
  for (const name of ANSWER) {
    const value = read(name)
    if (typeof value === 'string') url.searchParams.set(name, value)
  }
  return url
}
