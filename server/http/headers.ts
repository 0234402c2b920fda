import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'

/**
 * Headers of every answer. `hstsSubdomains`: browsers are told to use https for the neighbours of the site's name too,
 * which may be services of others that have none. Pages add their own Content-Security-Policy, which knows their scripts.
 */
export const securityHeaders = ({ https, hstsSubdomains }: { https: boolean; hstsSubdomains: boolean }) =>
  secureHeaders({
    strictTransportSecurity: https ? `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}` : false,
    xFrameOptions: 'DENY',
    referrerPolicy: 'strict-origin-when-cross-origin',
    // Public objects and the API are meant to be read by other origins (feeds, hosted sites).
    crossOriginResourcePolicy: 'cross-origin',
    crossOriginOpenerPolicy: 'same-origin',
    originAgentCluster: '?1',
    xPermittedCrossDomainPolicies: false,
    xDownloadOptions: false,
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [], usb: [] },
  })

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

// What a request says about the answer that it can use.

/** Whether a person's browser asks, who is better served by a page than by JSON. `accept`: the header. */
export const acceptsHtml = (accept: string | null | undefined): boolean =>
  accept?.includes('text/html') ?? false

/** Whether the client holds this very answer: If-None-Match by weak comparison (RFC 9110, 13.1.2). `etag` is strong, with its quotes. */
export const holdsEtag = (ifNoneMatch: string | null | undefined, etag: string): boolean =>
  ifNoneMatch === '*' ||
  (ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false)
