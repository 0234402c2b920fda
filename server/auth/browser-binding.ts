import { timingSafeEqual } from 'node:crypto'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { AuthContext } from './context.ts'
import { STATE_LIFETIME_SECONDS } from './settings.ts'

/**
 * A flow to a provider must come back to the browser that it left from, or somebody could send a victim an address
 * that signs the victim in to the sender's account, or links the victim's identity to it. The browser keeps a secret
 * for that. PKCE does the same for sign-ins: only the client that began has the verifier.
 */
interface Binding {
  flowId: string
  /** SAML's answer is posted from the provider's own page: only cookies for all sites come along with that. */
  acrossSites?: boolean
}

/** Gives the browser its half of the binding, together with the address to go to. */
export function bindBrowser(c: AuthContext, { flowId, acrossSites = false }: Binding): void {
  const { secrets, settings } = c.var.services
  const issuer = new URL(settings.issuer)
  setCookie(c, nameOf(flowId), secrets.flowSecret('browser', flowId), {
    path: issuer.pathname,
    httpOnly: true,
    // Browsers count http://localhost as secure; elsewhere SAML without PKCE needs https.
    secure: acrossSites || issuer.protocol === 'https:',
    sameSite: acrossSites ? 'None' : 'Lax',
    maxAge: STATE_LIFETIME_SECONDS,
  })
}

/** Whether this is the browser that the flow began in. Its secret is used up. */
export function isSameBrowser(c: AuthContext, flowId: string): boolean {
  const { secrets, settings } = c.var.services
  const kept = Buffer.from(getCookie(c, nameOf(flowId)) ?? '')
  const expected = Buffer.from(secrets.flowSecret('browser', flowId))
  deleteCookie(c, nameOf(flowId), { path: new URL(settings.issuer).pathname })
  return kept.length === expected.length && timingSafeEqual(kept, expected)
}

const nameOf = (flowId: string): string => `auth-flow-${flowId}`
