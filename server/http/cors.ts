import type { MiddlewareHandler } from 'hono'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const PREFLIGHT_SECONDS = '86400'

/**
 * Lets every origin in, since keys and tokens travel in headers and never in cookies; `exposed` are the headers of
 * answers that its scripts may read (protocol.md section 1). OPTIONS is answered without a key. Hono's own middleware
 * copies each response, which costs more than the rest of the request's way through Hono.
 */
export const openToAllOrigins = (exposed: readonly string[]): MiddlewareHandler => {
  const readable = exposed.join(', ')
  return async function openToAllOrigins(c, next) {
    if (c.req.method === 'OPTIONS') return preflight(c.req.header('access-control-request-headers'))
    await next()
    c.res.headers.set('Access-Control-Allow-Origin', '*')
    c.res.headers.set('Access-Control-Expose-Headers', readable)
  }
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
