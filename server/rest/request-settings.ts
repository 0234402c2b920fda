import type { RawRequest } from './request/parse.ts'

/** Headers that carry secrets. PostgreSQL writes statements with their values into its log, so they stay out of it. */
const SECRET = new Set(['apikey', 'authorization', 'cookie'])

/** What functions and policies can ask about the request with current_setting (protocol.md 6.9). */
export function requestSettings(raw: RawRequest): Record<string, string> {
  const { target } = raw
  const headers = Object.entries(raw.headers).filter(([name]) => !SECRET.has(name))
  return {
    'request.method': raw.method,
    'request.path': target.kind === 'routine' ? `/rpc/${target.name}` : `/${target.name}`,
    'request.headers': JSON.stringify(Object.fromEntries(headers)),
    'request.cookies': JSON.stringify(cookies(raw.headers.cookie)),
  }
}

const cookies = (header = ''): Record<string, string> =>
  Object.fromEntries(
    header
      .split(';')
      .map((pair) => pair.trim().split(/=(.*)/s))
      .filter(([name]) => name)
      .map(([name = '', value = '']) => [name, value]),
  )
