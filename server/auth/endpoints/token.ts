import type { MiddlewareHandler } from 'hono'
import type { AuthEnv } from '../context.ts'
import { authErrors } from '../errors.ts'

/** POST /token: the handler for the query's grant_type. Errors: invalid_credentials "unsupported_grant_type". */
export const byGrant = (
  grants: Readonly<Record<string, MiddlewareHandler<AuthEnv>>>,
): MiddlewareHandler<AuthEnv> =>
  async function byGrant(c, next) {
    const name = c.req.query('grant_type') ?? ''
    const answer = Object.hasOwn(grants, name) ? grants[name] : undefined
    if (!answer) throw authErrors.unsupportedGrant()
    return answer(c, next)
  }
