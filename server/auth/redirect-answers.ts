import type { AuthError } from './errors.ts'

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
  const problem = {
    error: word,
    error_code: code,
    error_description: message,
  }
  const url = inQuery ? withParameters(target, 'query', problem) : target
  return withParameters(url, 'fragment', { ...problem, sb: '' })
}
