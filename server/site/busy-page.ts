import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { acceptsHtml } from '#server/http/headers.ts'
import site from '../../content/site.json' with { type: 'json' }

/** A page that comes back sooner than this only makes the crowd larger. */
const SOONEST_RETRY_SECONDS = 5

/** What a client hears that is no browser, and a browser that asks for something else than a page. */
const PLAIN = 'More is asked of us at this moment than we can do. Please try again in a few seconds.'

/**
 * The answer to whoever has to come again: a 503, for browsers a page that asks again by itself when it is time, without
 * any script. It needs nothing else of ours (no style sheet, font or picture), for those would have to wait too.
 * @param retryAfter seconds
 */
export function busyAnswer({ headers }: Request, retryAfter: number): Response {
  const isForPerson = acceptsHtml(headers.get('accept'))
  const seconds = isForPerson ? Math.max(SOONEST_RETRY_SECONDS, retryAfter) : retryAfter
  const common = { 'retry-after': String(seconds), 'cache-control': 'no-store', vary: 'Accept' }
  if (!isForPerson)
    return new Response(PLAIN, {
      status: 503,
      headers: { ...common, 'content-type': 'text/plain; charset=utf-8' },
    })
  return new Response(String(busyPage(seconds)), {
    status: 503,
    headers: {
      ...common,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src '${hashOf(styleFor(seconds))}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      // Without an address: whatever was asked for is asked for again, and nothing of it is written anywhere.
      refresh: String(seconds),
    },
  })
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

const inWords = (seconds: number) =>
  seconds < 60 ? 'in a few seconds' : seconds < 120 ? 'in about a minute' : 'in a few minutes'

/** The palette, the measure and the marks of every other page (app/app.css, app/ui/page.tsx), with the device's own fonts. */
const styleFor = (seconds: number) => `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fffaf4, #1a1310);
  --ink: light-dark(#2b1a12, #f6ebe1);
  --muted: light-dark(#6a5446, #c6b2a3);
  --line: light-dark(#ecdccb, #43342b);
  --accent: light-dark(#b93b0a, #fb9a52);
  --on-accent: light-dark(#ffffff, #1f120a);
}
* { box-sizing: border-box; margin: 0 }
body {
  min-height: 100vh; min-height: 100dvh;
  display: flex; flex-direction: column;
  background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 system-ui, sans-serif;
  text-wrap: pretty; -webkit-text-size-adjust: 100%;
}
header, main { width: 100%; max-width: 72rem; margin-inline: auto; padding-inline: clamp(1.25rem, 4vw, 2rem) }
header { display: flex; align-items: center; gap: .625rem; min-height: 5rem; font: 600 1.25rem/1 Georgia, serif; letter-spacing: -.01em }
header svg { width: 2.125rem; height: 2.125rem }
main { padding-block: clamp(2rem, 8vh, 5rem) 4rem }
article { max-width: 42rem; padding: .25rem 0 .25rem clamp(1.5rem, 4vw, 2rem); border-inline-start: 4px solid #ea580c }
h1 { font: 500 clamp(1.9rem, 1.5rem + 1.8vw, 2.9rem)/1.15 Georgia, serif; letter-spacing: -.015em; text-wrap: balance }
p { margin-top: 1rem; font-size: 1.125rem; color: var(--muted) }
a { display: inline-flex; align-items: center; min-height: 2.75rem; margin-top: 1.5rem; padding: .5rem 1.25rem; border: 1px solid var(--accent); border-radius: 9in; background: var(--accent); color: var(--on-accent); font-weight: 600; font-size: 1rem; text-decoration: none }
a:hover { text-decoration: underline; text-underline-offset: .25em }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
.wait { height: 3px; margin-top: 2rem; border-radius: 3px; background: var(--line); overflow: hidden }
.wait::before { content: ""; display: block; height: 100%; background: #ea580c; transform-origin: left; animation: wait ${seconds}s linear both }
@keyframes wait { from { transform: scaleX(0) } }
@media (prefers-reduced-motion: reduce) { .wait { display: none } }
@media (forced-colors: active) { a { border-color: LinkText } }
`

const busyPage = (seconds: number) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>One moment, please · ${site.name}</title>
<style>${raw(styleFor(seconds))}</style>
</head>
<body>
<header>
<svg viewBox="0 0 64 64" aria-hidden="true"><g fill="none" stroke-width="10" stroke-linecap="round" stroke-linejoin="round"><path stroke="#fb923c" d="M38 57l9.500-18L57 57"/><path stroke="#ea580c" d="M7 57l15.500-31L38 57"/></g><circle cx="26" cy="9.500" r="7" fill="#ea580c"/><circle cx="50.500" cy="24.500" r="6" fill="#fb923c"/></svg>
${site.name}
</header>
<main>
<article>
<h1>One moment, please</h1>
<p>Many people are reading just now, and your page is waiting for its turn. It opens by itself ${inWords(seconds)}; there is nothing that you have to do.</p>
<a href="">Try again now</a>
<div class="wait" aria-hidden="true"></div>
</article>
</main>
</body>
</html>
`
