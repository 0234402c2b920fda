import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { isUuid } from '#domain/uuid.ts'
import { networkOf } from '#server/http/client-address.ts'
import { keyRoles, TokenRefused } from '#server/tokens/authenticate.ts'
import { checkCaptcha } from './captcha.ts'
import { clientOf } from './client.ts'
import type { AuthContext, AuthEnv, Endpoint } from './context.ts'
import { authErrors } from './errors.ts'
import { claimsOf } from './forgeries.ts'
import type { Limits } from './limits.ts'
import { type Aal2Refusal, mustBeAal2IfEnrolled } from './mfa/assurance.ts'
import { readBody } from './read-body.ts'
import type { Services } from './services.ts'
import { findSession, hasEnded } from './sessions/repository.ts'
import { findUser } from './users/repository.ts'
import { isBanned } from './users/rows.ts'

type Guard = MiddlewareHandler<AuthEnv>

const bearerOf = (c: AuthContext) => /^Bearer\s+(\S+)\s*$/i.exec(c.req.header('authorization') ?? '')?.[1]
const apiKeyOf = (c: AuthContext) => c.req.header('apikey') ?? c.req.query('apikey')

/** Either of the two API keys, as `apikey` or as the bearer. The words are those of the hosted gateway. */
export function requireKey({ keys }: Pick<Services, 'keys'>): Guard {
  const roleOf = keyRoles(keys)
  return async function requireKey(c, next) {
    const key = apiKeyOf(c)
    if (roleOf(key ?? bearerOf(c))) return next()
    const message = key ? 'Invalid API key' : 'No API key found in request'
    const hint = key ? 'Double check your API key.' : 'No `apikey` request header or url param was found.'
    return c.json({ message, hint }, 401)
  }
}

/** The secret key. A user's token, whatever the role of the user, is not enough. */
export function requireAdmin({ keys }: Pick<Services, 'keys'>): Guard {
  const roleOf = keyRoles(keys)
  return async function requireAdmin(c, next) {
    const bearer = bearerOf(c)
    if (bearer === undefined || roleOf(bearer)) {
      const isAdmin = [bearer, apiKeyOf(c)].some((key) => roleOf(key) === 'service_role')
      if (!isAdmin) throw authErrors.notAdmin()
      return next()
    }
    await c.var.services.tokens.verify(bearer)
    throw authErrors.notAdmin()
  }
}

/** A valid access token of a session that is still there. Puts account and session into `c.var.member`. */
export const requireMember: Guard = async function requireMember(c, next) {
  const { db, keys, now } = c.var.services
  const bearer = bearerOf(c)
  if (bearer === undefined || keyRoles(keys)(bearer)) throw authErrors.noAuthorization()
  const { sub, session_id: sessionId } = await claimsOf(c, bearer)
  if (!isUuid(sub) || !isUuid(sessionId)) throw new TokenRefused('missing sub claim')
  const [user, session, isOver] = await db.asOwner('who is it', (tx) =>
    Promise.all([findUser(tx, { id: sub }), findSession(tx, sessionId), hasEnded(tx, sessionId)]),
  )
  if (!user) throw authErrors.userNotFound(403)
  if (isBanned(user, now())) throw authErrors.banned(403)
  if (session?.user_id !== sub || isOver) throw authErrors.sessionNotFound()
  c.set('member', { user, session })
  return next()
}

/**
 * Behind `requireMember`, for all that changes the ways into an account: whoever has a verified second factor must have
 * given it in this session. The handler looks again when it has the account's row locked (`lockMember`).
 * @param when for calls that do so only sometimes
 * Errors: insufficient_aal.
 */
export const requireAal2IfEnrolled = (
  refusal: Aal2Refusal & { when?: (c: AuthContext) => boolean | Promise<boolean> } = {},
): Guard =>
  async function requireAal2IfEnrolled(c, next) {
    const isNeeded = refusal.when ? await refusal.when(c) : true
    if (isNeeded) mustBeAal2IfEnrolled(c.var.member, refusal)
    return next()
  }

/** Counts the call against its client's allowance. */
export const limit = (kind: Parameters<Limits['count']>[0]): Guard =>
  async function limit(c, next) {
    await c.var.services.limits.count(kind, networkOf(clientOf(c).address))
    return next()
  }

const Recipient = z.object({ email: z.unknown(), phone: z.unknown() }).partial()

/** Counts a call that may send a mail or a text message against its client's share of all that are sent. */
export const limitMessages: Guard = async function limitMessages(c, next) {
  const { email, phone } = await readBody(c, Recipient)
  const client = networkOf(clientOf(c).address)
  if (email) await c.var.services.limits.countShare('mail', client)
  if (phone) await c.var.services.limits.countShare('sms', client)
  return next()
}

/** Where a CAPTCHA is configured, its answer must be right; the secret key needs none. */
export function requireCaptcha({ keys }: Pick<Services, 'keys'>): Guard {
  const roleOf = keyRoles(keys)
  return async function requireCaptcha(c, next) {
    const { captcha } = c.var.services.settings
    const isService = roleOf(bearerOf(c) ?? apiKeyOf(c)) === 'service_role'
    if (captcha && !isService) await checkCaptcha(captcha, c)
    return next()
  }
}

/** What a page's own form sends goes to the endpoint; anything else goes on. */
export const ifForm = (endpoint: Endpoint): Guard =>
  async function ifForm(c, next) {
    return isForm(c) ? endpoint(c) : next()
  }

const isForm = (c: AuthContext) =>
  (c.req.header('content-type') ?? '').startsWith('application/x-www-form-urlencoded')
