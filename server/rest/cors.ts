import type { MiddlewareHandler } from 'hono'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
/** What scripts of other origins may read (protocol.md section 1). */
const EXPOSED =
  'Content-Range, Content-Location, Location, Preference-Applied, Content-Profile, Content-Length'
const PREFLIGHT_SECONDS = '86400'

/**
 * Lets every origin in, since keys and tokens travel in headers and never in cookies. OPTIONS is answered without a key.
 * Hono's own middleware copies each response, which costs more than the rest of the request's way through Hono.
 */
export const openToAllOrigins = (): MiddlewareHandler =>
  async function openToAllOrigins(c, next) {
    if (c.req.method === 'OPTIONS') return preflight(c.req.header('access-control-request-headers'))
    await next()
    c.res.headers.set('Access-Control-Allow-Origin', '*')
    c.res.headers.set('Access-Control-Expose-Headers', EXPOSED)
  }

const preflight = (wanted: string | undefined): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
      ...(wanted && { 'Access-Control-Allow-Headers': wanted, Vary: 'Access-Control-Request-Headers' }),
    },
  })
