import { acceptsHtml } from '#server/http/negotiation.ts'
import type { AuthContext } from './context.ts'
import { AuthError, ProviderRefused } from './errors.ts'
import { noteRefusal } from './note-refusal.ts'
import { withError } from './redirect-answers.ts'

interface Return {
  provider?: string
  /** Where the flow was to end; unknown when it is none of ours. */
  target?: string
}

/**
 * Somebody who comes back from a provider cannot be let in: it is written down, and the site is told in query and
 * fragment. Where nothing is known of a flow, people are sent to the site, and programs get the error itself.
 */
export async function refuseReturn(
  c: AuthContext,
  error: unknown,
  { provider, target }: Return = {},
): Promise<Response> {
  if (!(error instanceof AuthError)) throw error
  const { settings, log } = c.var.services
  if (error.status >= 500) log.error({ err: error.cause ?? error, provider }, 'a provider does not answer')
  await noteRefusal(c, error, provider)
  const isPerson = acceptsHtml(c.req.header('accept'))
  if (!target && !isPerson) throw error
  const word = error instanceof ProviderRefused ? { word: error.error } : {}
  return c.redirect(withError(target ?? settings.siteUrl, error, { inQuery: true, ...word }), 303)
}
