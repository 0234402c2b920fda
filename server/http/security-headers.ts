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
