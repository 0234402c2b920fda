import { timingSafeEqual } from 'node:crypto'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { acceptsHtml } from '#server/http/headers.ts'
import { auditFailedSignIn } from './audit.ts'
import type { AuthContext, AuthSettings } from './context.ts'
import { AuthError, ProviderRefused } from './errors.ts'

type Rules = Pick<AuthSettings, 'siteUrl' | 'redirectUrls'>

/** Where the person is sent afterwards: where the request asks for if that is allowed, else the site. Never elsewhere. */
export function redirectTarget(c: AuthContext, requested?: string): string {
  const { settings } = c.var.services
  const wanted = requested ?? c.req.query('redirect_to') ?? c.req.header('redirect_to')
  return wanted && isAllowedRedirect(wanted, settings) ? wanted : settings.siteUrl
}

/** Schemes whose "address" is a program. */
const DANGEROUS = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'view-source:'])
const MAX_LENGTH = 2048

/** Whether an address is on the site's host, or on the list of further ones (exact, or glob patterns). */
export function isAllowedRedirect(wanted: string, { siteUrl, redirectUrls }: Rules): boolean {
  // What URL parsers silently drop or turn round could make two parsers see two hosts.
  if (wanted.length > MAX_LENGTH || /[\s\\\p{Cc}]/u.test(wanted) || !URL.canParse(wanted)) return false
  const url = new URL(wanted)
  if (DANGEROUS.has(url.protocol) || url.username || url.password) return false
  return (
    isOnSite(url, new URL(siteUrl)) ||
    redirectUrls.some((pattern) => toPattern(pattern).test(comparable(url)))
  )
}

const isOnSite = (url: URL, site: URL): boolean =>
  url.host === site.host && (url.protocol === site.protocol || url.protocol === 'https:')

/** auth-js marks the address of a PKCE flow with an id of its own; the list need not know it. */
function comparable(url: URL): string {
  const plain = new URL(url)
  plain.searchParams.delete('sb_flow_id')
  plain.hash = ''
  return plain.href.replace(/\/$/, '')
}

/** `*` any run without `.` and `/`, `**` any run, `?` one character without them: GoTrue's glob. */
export function toPattern(glob: string): RegExp {
  const source = glob
    .replace(/\/$/, '')
    .replaceAll(
      /\*\*|[*?]|[^*?]+/g,
      (part) => wildcards[part] ?? part.replaceAll(/[.+^${}()|[\]\\/]/g, '\\$&'),
    )
  return new RegExp(`^${source}$`)
}

const wildcards: Readonly<Record<string, string>> = { '**': '.*', '*': '[^./]*', '?': '[^./]' }

type Place = 'query' | 'fragment'

/** An address with further parameters, in the query beside those it has, or as its fragment. */
export function withParameters(
  target: string,
  place: Place,
  parameters: Record<string, string | number>,
): string {
  const url = new URL(target)
  const entries = Object.entries(parameters).map(([name, value]) => [name, String(value)] as const)
  if (place === 'query') for (const [name, value] of entries) url.searchParams.set(name, value)
  else url.hash = new URLSearchParams(entries.map(([name, value]) => [name, value])).toString()
  return url.href
}

/** The site learns what went wrong from the fragment; PKCE clients read the query too. */
export function withError(
  target: string,
  { status, code, message }: AuthError,
  { inQuery = false, word = status >= 500 ? 'server_error' : 'access_denied' } = {},
): string {
  const problem = { error: word, error_code: code, error_description: message }
  const url = inQuery ? withParameters(target, 'query', problem) : target
  return withParameters(url, 'fragment', { ...problem, sb: '' })
}

/** Signing in at a provider may take a while: second factors, forgotten passwords. */
export const STATE_LIFETIME_SECONDS = 900

interface Binding {
  flowId: string
  /** SAML's answer is posted from the provider's own page: only cookies for all sites come along with that. */
  acrossSites?: boolean
}

/**
 * A flow to a provider must come back to the browser that it left from, or somebody could send a victim an address
 * that signs the victim in to the sender's account, or links the victim's identity to it. The browser keeps a secret
 * for that. PKCE does the same for sign-ins: only the client that began has the verifier.
 *
 * Gives the browser its half, together with the address to go to.
 */
export function bindBrowser(c: AuthContext, { flowId, acrossSites = false }: Binding): void {
  const { secrets, settings } = c.var.services
  const issuer = new URL(settings.issuer)
  setCookie(c, cookieNameOf(flowId), secrets.flowSecret('browser', flowId), {
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
  const kept = Buffer.from(getCookie(c, cookieNameOf(flowId)) ?? '')
  const expected = Buffer.from(secrets.flowSecret('browser', flowId))
  deleteCookie(c, cookieNameOf(flowId), { path: new URL(settings.issuer).pathname })
  return kept.length === expected.length && timingSafeEqual(kept, expected)
}

const cookieNameOf = (flowId: string): string => `auth-flow-${flowId}`

interface FailedCallback {
  provider?: string
  /** Where the flow was to end; unknown when it is none of ours. */
  target?: string
}

/**
 * Somebody who comes back from a provider cannot be let in: it is written down, and the site is told in query and
 * fragment. Where nothing is known of a flow, people are sent to the site, and programs get the error itself.
 */
export async function redirectWithRefusal(
  c: AuthContext,
  error: unknown,
  { provider, target }: FailedCallback = {},
): Promise<Response> {
  if (!(error instanceof AuthError)) throw error
  const { settings, log } = c.var.services
  if (error.status >= 500) log.error({ err: error.cause ?? error, provider }, 'a provider does not answer')
  await auditFailedSignIn(c, error, provider)
  const isPerson = acceptsHtml(c.req.header('accept'))
  if (!target && !isPerson) throw error
  const word = error instanceof ProviderRefused ? { word: error.error } : {}
  return c.redirect(withError(target ?? settings.siteUrl, error, { inQuery: true, ...word }), 303)
}
