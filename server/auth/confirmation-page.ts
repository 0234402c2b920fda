import { html } from 'hono/html'
import type { AuthContext } from './context.ts'
import type { Purpose } from './otp/one-time-tokens.ts'

interface Link {
  token: string
  type: Purpose
}

/** What the button says; the person has read the mail and knows why they are here. */
const buttons: Readonly<Partial<Record<Purpose, string>>> = {
  signup: 'Confirm my address',
  invite: 'Accept the invitation',
  magiclink: 'Sign in',
  recovery: 'Choose a new password',
  email_change: 'Confirm the change',
}

const style = `
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #fff7ed; color: #292524;
    font: 1.125rem/1.6 Figtree, system-ui, sans-serif }
  main { max-width: 26rem; padding: 2rem; text-align: center }
  button { font: inherit; font-weight: 600; color: #fff; background: #c2410c; border: 0; border-radius: .625rem;
    padding: .75rem 1.75rem; cursor: pointer }
  button:hover { background: #9a3412 }
  button:focus-visible { outline: 3px solid #292524; outline-offset: 3px }
  @media (prefers-color-scheme: dark) { body { background: #1c1917; color: #fafaf9 } }`

/** One button that uses the link up. No script: it works in any browser, and nothing presses it but a person. */
export function confirmationPage(c: AuthContext, { token, type }: Link, target: string) {
  const { issuer } = c.var.services.settings
  // Browsers hold the address that the form's answer redirects to against this list as well.
  const goesTo = new URL(target)
  const next = goesTo.origin === 'null' ? goesTo.protocol : goesTo.origin
  c.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'unsafe-inline'; form-action 'self' ${next}; base-uri 'none'; frame-ancestors 'none'`,
  )
  c.header('Referrer-Policy', 'no-referrer')
  c.header('X-Robots-Tag', 'noindex')
  return c.html(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>One more step – Walking Together</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>One more step</h1>
<p>Press the button to go on to Walking Together.</p>
<form method="post" action="${new URL(issuer).pathname}/verify">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="type" value="${type}">
<input type="hidden" name="redirect_to" value="${target}">
<button>${buttons[type] ?? 'Continue'}</button>
</form>
</main>
</body>
</html>`)
}
