import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { ApiKeys } from './api-keys.ts'
import { type Caller, type Role, serviceRole, visitor } from './caller.ts'

/** What later handlers find in the context. */
export interface IdentityEnv {
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
 * Finds out who asks (protocol.md section 1) and puts it into `c.var.caller`: the bearer's user token outranks the
 * key in `apikey` (header or query); a bearer equal to a key means that key; a token that does not verify is refused.
 */
export function identify({ keys, verifyToken, refuse }: Options): MiddlewareHandler<IdentityEnv> {
  const roleOf = keyRoles(keys)
  return async function identify(c, next) {
    const key = c.req.header('apikey') ?? c.req.query('apikey')
    const bearer = /^Bearer\s+(\S+)\s*$/i.exec(c.req.header('authorization') ?? '')?.[1]
    const asKey = roleOf(key ?? bearer ?? '')
    if (!key && !bearer) return refuse.noKey()
    if (!asKey) return refuse.badKey()
    const bearerRole = bearer === undefined ? asKey : roleOf(bearer)
    if (bearer === undefined || bearerRole) {
      c.set('caller', bearerRole === 'service_role' ? serviceRole : asKey === 'service_role' ? serviceRole : visitor)
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

const callerFrom = (claims: Record<string, unknown>): Caller => {
  if (claims.role !== 'authenticated' && claims.role !== 'anon' && claims.role !== 'service_role') {
    throw new TokenRefused('The token names no known role')
  }
  return { role: claims.role, claims }
}

/** Compares digests of equal length, so that the time taken tells nothing about a key. */
function keyRoles(keys: ApiKeys): (given: string) => Role | undefined {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const known = [
    { digest: digest(keys.publishable), role: 'anon' },
    { digest: digest(keys.secret), role: 'service_role' },
  ] as const
  return (given) => known.find((key) => timingSafeEqual(key.digest, digest(given)))?.role
}
