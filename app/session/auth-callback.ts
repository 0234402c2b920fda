import { href } from 'react-router'
/** What a mailed link, or the way back from a provider, brought along in the address (protocol: GET /verify, /callback). */
export interface AuthCallback {
  tokens?: { access_token: string; refresh_token: string }
  /** Why it did not work. */
  error?: CallbackError
  /** What else it had to say, for example that a second mailbox must confirm. */
  message?: string
}

interface CallbackError {
  /** In the service's words. */
  text: string
  /** `error_code`, or else `error`. */
  code: string
}

/** Reads a fragment or a query; null when it brings nothing of ours. */
export function parseAuthCallback(text: string): AuthCallback | null {
  const parts = new URLSearchParams(text.replace(/^[#?]/, ''))
  const [access_token, refresh_token] = [parts.get('access_token'), parts.get('refresh_token')]
  if (access_token && refresh_token) return { tokens: { access_token, refresh_token } }
  const error = parts.get('error')
  const words = parts.get('error_description') ?? error
  if (words) return { error: { text: words, code: parts.get('error_code') ?? error ?? '' } }
  const message = parts.get('message')
  return message && parts.has('sb') ? { message } : null
}

/** A query without what told of an error. */
export function withoutError(search: string): string {
  const parts = new URLSearchParams(search)
  if (!parts.has('error')) return search
  for (const name of ['error', 'error_code', 'error_description']) parts.delete(name)
  return parts.size > 0 ? `?${parts}` : ''
}

let callback: AuthCallback | null = null

/** What the link brought that opened this page. */
export const authCallback = (): AuthCallback | null => callback

/**
 * Takes what a link brought out of the address, before the router reads it: tokens must not stay in the history.
 * Pages that cannot say what went wrong hand over to the login page.
 */
export function takeAuthCallback(): void {
  const { hash, search, pathname } = location
  callback = parseAuthCallback(hash)
  if (!callback) return
  if (!callback.tokens && !canShowCallback(pathname)) location.replace(`${href('/login')}${hash}`)
  else history.replaceState(history.state, '', pathname + withoutError(search))
}

/** Whether a page can tell its reader what a link brought, or ask for what is missing. */
export const canShowCallback = (pathname: string): boolean => callbackPages.has(pathname)

const callbackPages = new Set([href('/login'), href('/reset-password'), href('/profile/security')])
