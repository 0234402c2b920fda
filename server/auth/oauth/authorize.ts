import { acceptsHtml } from '#server/http/negotiation.ts'
import type { Endpoint } from '../context.ts'
import { redirectTarget, redirectWithRefusal } from '../redirects.ts'
import { depart } from './depart.ts'

/** GET /authorize: off to a provider, to sign in there. People whom that fails are sent back with the reason. */
export const authorize: Endpoint = (c) => {
  const isPerson = acceptsHtml(c.req.header('accept'))
  return depart(c).catch((error) =>
    redirectWithRefusal(c, error, isPerson ? { target: redirectTarget(c) } : {}),
  )
}
