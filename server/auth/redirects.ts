import type { AuthContext } from './context.ts'
import type { AuthSettings } from './settings.ts'

type Rules = Pick<AuthSettings, 'siteUrl' | 'redirectUrls'>

/** Where the person is sent afterwards: the wish of the request if it is allowed, else the site. Never elsewhere. */
export function redirectTarget(c: AuthContext, wish?: string): string {
  const { settings } = c.var.services
  const wanted = wish ?? c.req.query('redirect_to') ?? c.req.header('redirect_to')
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
