import type { MiddlewareHandler } from 'hono'
import { every } from 'hono/combine'
import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { auditAndRethrow } from '../audit.ts'
import { type AuthContext, type AuthEnv, clientOf, type Endpoint, nowIso, type Services } from '../context.ts'
import { providerErrors } from '../errors.ts'
import { linkIdentity } from '../identities/link.ts'
import { type ExternalSignIn, signInWithIdentity } from '../identities/sign-in.ts'
import { requireAal2IfEnrolled, requireMember } from '../middleware.ts'
import { redirectTarget } from '../redirects.ts'
import { optional, readBody } from '../request-body.ts'
import { type IssuedSession, startSession, tokenResponse } from '../sessions/lifecycle.ts'
import type { UserRow } from '../users/user.ts'

const MAX_TOKEN = 16_384
const token = z.string().max(MAX_TOKEN, 'Token is too long')
const name = z.string().max(500)
const Body = z.object({
  provider: optional(name),
  id_token: optional(token),
  access_token: optional(token),
  nonce: optional(name),
  client_id: optional(name),
  issuer: optional(name),
  link_identity: optional(z.boolean()),
})
type Body = z.output<typeof Body>

/** Who wants to add the identity to their account must be signed in, with all that it asks for; the others hold a key. */
export const memberIfLinking: MiddlewareHandler<AuthEnv> = async function memberIfLinking(c, next) {
  const { link_identity: isLinking } = await readBody(c, Body)
  return isLinking ? mayLink(c, next) : next()
}

const mayLink = every(requireMember, requireAal2IfEnrolled())

/** POST /token?grant_type=id_token: a session for an ID token that the client got from a provider by itself. */
export const signInWithIdToken: Endpoint = async (c) => {
  const { services } = c.var
  const body = await readBody(c, Body)
  const issued = await openSession(c, body).catch(auditAndRethrow(c, body.provider?.slice(0, 50)))
  return c.json(await tokenResponse(services, issued))
}

async function openSession(c: AuthContext, body: Body): Promise<IssuedSession> {
  const { services, member } = c.var
  const signIn = await externalSignInOf(c, body)
  const open = (tx: Transaction, user: UserRow) =>
    startSession(tx, services, { user, method: 'oauth', client: signIn.client })
  if (body.link_identity) {
    if (!services.settings.manualLinking) throw providerErrors.linkingDisabled()
    return linkIdentity(services, signIn, { userId: member.user.id, sessionId: member.session.id }, open)
  }
  return signInWithIdentity(services, signIn, open)
}

async function externalSignInOf(c: AuthContext, body: Body): Promise<ExternalSignIn> {
  const { services } = c.var
  const { id_token: idToken, access_token: accessToken, nonce } = body
  if (!idToken) throw providerErrors.idTokenMissing()
  const provider = await services.providers.find(nameOf(services, body))
  if (!provider.fromIdToken) throw providerErrors.noIdTokens(provider.name)
  return {
    provider: provider.name,
    person: await provider.fromIdToken({ idToken, accessToken, nonce }),
    client: clientOf(c),
    at: nowIso(services),
    redirectTo: redirectTarget(c),
    challenge: undefined,
  }
}

/** Errors: the OAuth form when neither is told, provider_disabled, validation_failed for an issuer that is not ours. */
function nameOf({ providers }: Services, { provider, client_id: clientId, issuer }: Body): string {
  if (provider) {
    if (!providers.has(provider)) throw providerErrors.disabled(provider.slice(0, 50))
    return provider
  }
  if (!clientId || !issuer) throw providerErrors.providerMissing()
  const found = providers.nameByClient(issuer, clientId)
  if (!found) throw providerErrors.issuerNotAllowed()
  return found
}
