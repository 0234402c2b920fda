import { createHash } from 'node:crypto'
import { type DeliverablePage, makeDeliverable } from './page-delivery.ts'
import type { RenderedPage } from './render.ts'

type Seal = (page: RenderedPage) => DeliverablePage

/** Gives a rendered page the policy that lets its own scripts run and no others. */
export const sealPage =
  (nonce: string, hostedOrigin: string | undefined): Seal =>
  (page) => {
    if (typeof page.body !== 'string' || !isHtml(page)) return unsealed(page)
    const { html, hashes } = sealScripts(scriptsLast(page.body, nonce), nonce)
    const headers = new Headers(page.headers)
    headers.set('content-security-policy', contentSecurityPolicy(hashes, hostedOrigin))
    return unsealed({ ...page, headers, body: html })
  }

/** Browsers keep pages but ask each time: a 304 is cheap, and a change is seen at once. */
export const unsealed: Seal = ({ status, headers, body }) =>
  makeDeliverable(
    status,
    { 'cache-control': 'public, no-cache', ...Object.fromEntries(headers) },
    typeof body === 'string' ? new TextEncoder().encode(body) : body,
  )

const isHtml = ({ headers }: RenderedPage): boolean =>
  headers.get('content-type')?.startsWith('text/html') ?? false

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

/** What the page's scripts are marked with until it is their turn. Browsers fetch and run nothing of an unknown kind. */
const LATER = 'later'

/**
 * Gives the scripts their turn: when the page is parsed, and something of it is on the screen, or nobody looks at it.
 * A browser that does not tell of its first paint begins at once; one that does not come to it, after three seconds.
 */
const start = `{const parsed=new Promise(go=>document.readyState==='loading'?addEventListener('DOMContentLoaded',go):go());
const painted=new Promise(go=>{if(document.hidden||!window.PerformanceObserver?.supportedEntryTypes?.includes('paint'))go();
else{new PerformanceObserver(go).observe({type:'paint',buffered:true});setTimeout(go,3000)}});
Promise.all([parsed,painted]).then(()=>{
for(const link of document.querySelectorAll('link[rel=${LATER}]'))link.rel='modulepreload';
for(const script of document.querySelectorAll('script[type=${LATER}]')){
script.replaceWith(Object.assign(document.createElement('script'),{type:'module',async:true,text:script.text}))}})}`

/**
 * Lets what is seen come before what it is brought to life with: the page is read, and painted once, before its scripts
 * are fetched, which are ten times as large. React Router names them first in the head, as urgent as the style sheets,
 * and offers no word in this. Everything works without them, slower. Takes and returns the HTML of a page whose scripts
 * carry the nonce; the page that React finds when it comes to life is the one that it wrote.
 */
export const scriptsLast = (html: string, nonce: string): string =>
  html
    .replaceAll('<link rel="modulepreload"', `<link rel="${LATER}" fetchpriority="low"`)
    .replaceAll(`<script nonce="${nonce}" type="module"`, `<script nonce="${nonce}" type="${LATER}"`)
    .replace('</head>', () => `<script nonce="${nonce}">${start}</script></head>`)
