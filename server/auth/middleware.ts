import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Logger } from 'pino'
import { z } from 'zod'
import { isUuid } from '#domain/uuid.ts'
import { networkOf } from '#server/http/admission.ts'
import { logFailure, toProtocolError } from '#server/http/error-answer.ts'
import { openToAllOrigins } from '#server/http/headers.ts'
import { keyRoles, TokenRefused } from '#server/tokens/authenticate.ts'
import { audit, unknownActor } from './audit.ts'
import {
  type AuthContext,
  type AuthEnv,
  type CaptchaSettings,
  clientOf,
  type Endpoint,
  type Services,
} from './context.ts'
import { AuthError, authErrors, OAuthFormError } from './errors.ts'
import { type Aal2Refusal, mustBeAal2IfEnrolled } from './mfa/assurance.ts'
import type { Limits } from './rate-limits.ts'
import { readBody } from './request-body.ts'
import { findSession, hasEnded } from './sessions/queries.ts'
import { findUser } from './users/queries.ts'
import { isBanned } from './users/user.ts'

const MAX_BODY_BYTES = 64 * 1024
/** What other origins may read (protocol.md section 1). */
const EXPOSED = [
  'X-Total-Count',
  'Link',
  'X-Supabase-Api-Version',
  'x-sb-error-code',
  'Retry-After',
  'X-Request-Id',
]

/** An app with what all account calls have around them, still without any route. */
export function createApp(services: Services): Hono<AuthEnv> {
  const auth = new Hono<AuthEnv>()
  auth.onError((error, c) => renderError(c, error, services.log))
  auth.use(openToAllOrigins(EXPOSED))
  auth.use(async function provideServices(c, next) {
    c.set('services', services)
    echoVersion(c)
    // Answers hold tokens and addresses.
    c.header('Cache-Control', 'no-store')
    return next()
  })
  auth.use(bodyLimit({ maxSize: MAX_BODY_BYTES, onError: refuseBody }))
  return auth
}

const refuseBody = (): never => {
  throw authErrors.bodyTooLarge()
}

const VERSION_HEADER = 'X-Supabase-Api-Version'
/** From this version on the body is `{code, message}`; before, `{code: status, error_code, msg}`. */
const NEW_FORM = '2024-01-01'

/** Writes a failure in the form that the client's version expects. */
function renderError(c: Context, thrown: Error, log: Logger): Response {
  const error = toAuthError(thrown)
  logFailure(log, 'auth', thrown, error)
  if (error instanceof OAuthFormError)
    return c.json({ error: error.error, error_description: error.message }, 400)
  c.header('x-sb-error-code', error.code)
  if (error.retryAfter !== undefined) c.header('Retry-After', String(error.retryAfter))
  return c.json({ ...bodyFor(clientVersion(c), error), ...error.details }, error.status as 400)
}

/** Echoes the version, so that auth-js knows which form it is reading. */
function echoVersion(c: Context): void {
  const version = clientVersion(c)
  if (version) c.header(VERSION_HEADER, version)
}

const clientVersion = (c: Context): string | undefined => {
  const version = c.req.header(VERSION_HEADER)
  return version && /^\d{4}-\d\d-\d\d$/.test(version) ? version : undefined
}

const bodyFor = (version: string | undefined, { status, code, message }: AuthError) =>
  version && version >= NEW_FORM ? { code, message } : { code: status, error_code: code, msg: message }

/** What our own parts throw, in the words of the protocol. */
const toAuthError = (thrown: Error): AuthError =>
  toProtocolError(thrown, {
    isOwn: (error) => error instanceof AuthError,
    busy: ({ retryAfter }) => authErrors.busy(retryAfter),
    unavailable: authErrors.unavailable,
    full: authErrors.noRoom,
    sql: authErrors.internal,
    internal: (cause) =>
      cause instanceof TokenRefused ? authErrors.badJwt(cause.message) : authErrors.internal(cause),
  })

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
 * Behind `requireMember`, for all that changes how one signs in to an account: whoever has a verified second factor must have
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

/** POST /token: the handler for the query's grant_type. Errors: invalid_credentials "unsupported_grant_type". */
export const byGrant = (grants: Readonly<Record<string, Guard>>): Guard =>
  async function byGrant(c, next) {
    const name = c.req.query('grant_type') ?? ''
    const answer = Object.hasOwn(grants, name) ? grants[name] : undefined
    if (!answer) throw authErrors.unsupportedGrant()
    return answer(c, next)
  }

/**
 * The claims of an access token. One that is not ours is written into the audit log, a few per address and no more: the
 * log is not the sender's to fill. Errors: TokenRefused.
 */
async function claimsOf(c: AuthContext, bearer: string): Promise<Record<string, unknown>> {
  try {
    return await c.var.services.tokens.verify(bearer)
  } catch (error) {
    if (error instanceof TokenRefused && !error.expired) await auditForgedToken(c, error.message)
    throw error
  }
}

async function auditForgedToken(c: AuthContext, reason: string): Promise<void> {
  const { db, limits } = c.var.services
  const client = clientOf(c)
  const isAmongFew = await limits.count('forgery', networkOf(client.address)).then(
    () => true,
    () => false,
  )
  if (!isAmongFew) return
  await db.asOwner('refused token', (tx) =>
    audit(tx, { action: 'token_refused', actor: unknownActor, client, traits: { reason } }),
  )
}

const captchaUrls = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
} as const

const CAPTCHA_TIMEOUT_MS = 10_000
const MAX_CAPTCHA_TOKEN = 10_000

const CaptchaBody = z.object({
  gotrue_meta_security: z.object({ captcha_token: z.string().max(MAX_CAPTCHA_TOKEN).nullish() }).nullish(),
})
const CaptchaAnswer = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) })

/**
 * Asks the provider whether the visitor's token is good; both speak the same protocol.
 * Errors: captcha_failed; unexpected_failure when the provider does not answer.
 */
async function checkCaptcha(settings: CaptchaSettings, c: AuthContext): Promise<void> {
  const { gotrue_meta_security } = await readBody(c, CaptchaBody)
  const token = gotrue_meta_security?.captcha_token
  if (!token) throw authErrors.captchaFailed('no captcha_token found')
  const answer = await askProvider(settings, token, clientOf(c).address).catch((cause) => {
    throw authErrors.captchaUnavailable(cause)
  })
  if (!answer.success) throw authErrors.captchaFailed(answer['error-codes'].join(', ') || 'not solved')
}

async function askProvider(
  { provider, secret, verifyUrl }: CaptchaSettings,
  token: string,
  address: string | undefined,
) {
  const body = new URLSearchParams({ secret, response: token, ...(address && { remoteip: address }) })
  const response = await fetch(verifyUrl ?? captchaUrls[provider], {
    method: 'POST',
    body,
    signal: AbortSignal.timeout(CAPTCHA_TIMEOUT_MS),
  })
  return CaptchaAnswer.parse(await response.json())
}
