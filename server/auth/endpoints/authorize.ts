import type { Endpoint } from '../context.ts'
import { depart } from '../providers/depart.ts'
import { redirectTarget } from '../redirects.ts'
import { refuseReturn } from '../refuse-return.ts'

/** GET /authorize: off to a provider, to sign in there. People whom that fails are sent back with the reason. */
export const authorize: Endpoint = (c) => {
  const isPerson = (c.req.header('accept') ?? '').includes('text/html')
  return depart(c).catch((error) => refuseReturn(c, error, isPerson ? { target: redirectTarget(c) } : {}))
}
