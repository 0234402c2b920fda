import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { ApiKeys } from './api-keys.ts'
import { type Caller, type Role, serviceRole, visitor } from './caller.ts'

/** What later handlers find in the context. */
export interface CallerEnv {
  Variables: { caller: Caller; requestId: string }
}

/** Checks a user's access token and gives its claims. Errors: TokenRefused. */
export type VerifyToken = (token: string) => Promise<Record<string, unknown>>

/** A bearer token that is no valid access token. `expired` tells the one case that clients treat apart. */
export class TokenRefused extends Error {
  readonly expired: boolean
  constructor(message: string, { expired = false } = {}) {
    super(message)
    this.name = 'TokenRefused'
    this.expired = expired
  }
}

interface Options {
  keys: ApiKeys
  verifyToken: VerifyToken
  /** How the protocol words its refusal; the statuses are the same everywhere. */
  refuse: {
    noKey: () => Response
    badKey: () => Response
    badToken: (reason: TokenRefused) => Response
  }
}

/**
 * Finds out who asks (protocol.md section 1) and puts it into `c.var.caller`. A key must come along, as `apikey`
 * (header or query) or as the bearer. The bearer outranks it: one of the keys means that key's role, anything else is
 * a user's token, and one that does not verify is refused rather than forgotten.
 */
export function authenticate({ keys, verifyToken, refuse }: Options): MiddlewareHandler<CallerEnv> {
  const roleOf = keyRoles(keys)
  return async function authenticate(c, next) {
    const key = c.req.header('apikey') ?? c.req.query('apikey')
    const bearer = bearerIn(c.req.header('authorization'))
    const keyRole = roleOf(key ?? bearer)
    if (!keyRole) return key ? refuse.badKey() : refuse.noKey()
    const role = bearer === undefined ? keyRole : roleOf(bearer)
    if (role || bearer === undefined) {
      c.set('caller', role === 'service_role' ? serviceRole : visitor)
      return next()
    }
    try {
      c.set('caller', callerFrom(await verifyToken(bearer)))
    } catch (error) {
      if (error instanceof TokenRefused) return refuse.badToken(error)
      throw error
    }
    return next()
  }
}

/** What follows the word Bearer, whatever it is; other schemes (a proxy's Basic) are none of our business. */
const bearerIn = (header = ''): string | undefined =>
  (/^bearer\s/i.test(header) && header.slice('bearer'.length).trim()) || undefined

const callerFrom = (claims: Record<string, unknown>): Caller => {
  if (claims.role !== 'authenticated' && claims.role !== 'anon' && claims.role !== 'service_role') {
    throw new TokenRefused('The token names no known role')
  }
  return { role: claims.role, claims }
}

/** The role that a key opens. Compares digests of equal length, so that the time taken tells nothing about a key. */
export function keyRoles(keys: ApiKeys): (given: string | undefined) => Role | undefined {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const known = [
    { digest: digest(keys.publishable), role: 'anon' },
    { digest: digest(keys.secret), role: 'service_role' },
  ] as const
  return (given) =>
    given ? known.find((key) => timingSafeEqual(key.digest, digest(given)))?.role : undefined
}
