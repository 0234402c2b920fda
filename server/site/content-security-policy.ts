import { createHash } from 'node:crypto'

const scriptTag = (nonce: string) =>
  new RegExp(`<script([^>]*?) nonce="${nonce}"([^>]*)>([\\s\\S]*?)</script>`, 'g')

/**
 * Takes the nonce out of a rendered page and gives the hashes (`'sha256-…'`) of the inline scripts that carried it.
 * The nonce never reaches a browser, so pages stay cacheable, and a script that content smuggled in gets no hash.
 */
export function sealScripts(html: string, nonce: string): { html: string; hashes: string[] } {
  const hashes = new Set<string>()
  const sealed = html.replace(scriptTag(nonce), (_, before: string, after: string, code: string) => {
    if (code) hashes.add(`'sha256-${createHash('sha256').update(code).digest('base64')}'`)
    return `<script${before}${after}>${code}</script>`
  })
  return { html: sealed.replaceAll(` nonce="${nonce}"`, ''), hashes: [...hashes] }
}

/** The policy of a page. Pictures and recordings may come from any https address, because admins may link to them. */
export function contentSecurityPolicy(hashes: readonly string[], hostedOrigin?: string): string {
  const api = hostedOrigin ? ` ${hostedOrigin} ${hostedOrigin.replace(/^http/, 'ws')}` : ''
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: https:${api}`,
    `media-src 'self' blob: https:${api}`,
    `connect-src 'self'${api}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
