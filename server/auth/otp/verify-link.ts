import { html } from 'hono/html'
import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { acceptsHtml } from '#server/http/headers.ts'
import { audit } from '../audit.ts'
import { type AuthContext, type Client, clientOf, type Endpoint, nowIso, type Services } from '../context.ts'
import { AuthError, authErrors } from '../errors.ts'
import { redirectTarget, withError, withParameters } from '../redirects.ts'
import { check, readForm } from '../request-body.ts'
import { PKCE_PREFIX } from '../secrets.ts'
import { type IssuedSession, startSession, tokenResponse } from '../sessions/lifecycle.ts'
import { issueAuthCode } from '../sessions/session-redirect.ts'
import { isPurpose, type Purpose, purposes, tokenByLink } from './one-time-tokens.ts'
import { AWAITS_OTHER, redeem } from './verify.ts'

const Link = z.object({
  token: z.string('Verify requires a token').min(1, 'Verify requires a token').max(256, 'Token is too long'),
  type: z.string('Verify requires a verification type').refine(isPurpose, 'Unsupported verification type'),
  redirect_to: z.string().optional(),
})
type Link = { token: string; type: Purpose; redirect_to?: string | undefined }

/**
 * GET /verify: the link of a mail. A browser gets a page with a button, because programs that look through mails open
 * links too, and must not use them up (docs/decisions/0005). Clients that ask for no page are redirected at once.
 */
export const openLink: Endpoint = async (c) => {
  const link = check(Link, c.req.query()) as Link
  const isPeek = c.req.raw.method === 'HEAD' || /prefetch|preview/i.test(purposeOf(c))
  if (isPeek) return c.body(null, 204)
  if (acceptsHtml(c.req.header('accept'))) return confirmationPage(c, link, redirectTarget(c))
  return follow(c, link)
}

/** POST /verify with the fields of a form: the button of that page. */
export const pressButton: Endpoint = async (c) => follow(c, check(Link, await readForm(c)) as Link)

const purposeOf = (c: AuthContext) => `${c.req.header('purpose') ?? ''} ${c.req.header('sec-purpose') ?? ''}`

/** Uses the link up and sends the person back to the site, signed in or with the reason why not (protocol.md 2.5). */
async function follow(c: AuthContext, link: Link): Promise<Response> {
  const { services } = c.var
  const target = redirectTarget(c, link.redirect_to)
  const isPkce = link.token.startsWith(PKCE_PREFIX)
  try {
    const outcome = await services.db.asOwner('open link', (tx) => prove(tx, services, link, clientOf(c)))
    return c.redirect(await redirectUrl(services, target, link, outcome), 303)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    return c.redirect(withError(target, error, { inQuery: isPkce }), 303)
  }
}

type Outcome = { authCode: string } | { issued: IssuedSession } | { message: string }

async function prove(tx: Transaction, services: Services, link: Link, client: Client): Promise<Outcome> {
  const token = await tokenByLink(tx, services, link.token, purposes[link.type])
  if (!token) throw authErrors.linkExpired()
  const { user, awaitsOtherMailbox } = await redeem(tx, services, token, client)
  if (awaitsOtherMailbox) return { message: AWAITS_OTHER }
  if (!link.token.startsWith(PKCE_PREFIX)) {
    await audit(tx, { action: 'login', actor: user, client, traits: { provider: 'email' } })
    return { issued: await startSession(tx, services, { user, method: 'otp', client }) }
  }
  const at = nowIso(services)
  const authCode = token.flow_state_id ? await issueAuthCode(tx, token.flow_state_id, at) : undefined
  if (!authCode) throw authErrors.flowStateNotFound()
  return { authCode }
}

async function redirectUrl(
  services: Services,
  target: string,
  link: Link,
  outcome: Outcome,
): Promise<string> {
  if ('authCode' in outcome) return withParameters(target, 'query', { code: outcome.authCode })
  const isPkce = link.token.startsWith(PKCE_PREFIX)
  if ('message' in outcome) {
    return withParameters(target, isPkce ? 'query' : 'fragment', {
      message: outcome.message,
      ...(!isPkce && { sb: '' }),
    })
  }
  const { user: _, ...session } = await tokenResponse(services, outcome.issued)
  return withParameters(target, 'fragment', { ...session, sb: '', type: link.type })
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
function confirmationPage(c: AuthContext, { token, type }: Link, target: string) {
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
