import { isIP, isIPv6 } from 'node:net'
import type { AuthContext } from './context.ts'

/** Who is on the other end of the line, for sessions, limits and the audit log. */
export interface Client {
  /** Undefined for a call from within this process. */
  address: string | undefined
  userAgent: string
}

const MAX_USER_AGENT = 500

export function clientOf(c: AuthContext): Client {
  const { trustedProxies } = c.var.services.settings
  const agent = c.req.header('user-agent') ?? ''
  return {
    address: namedByProxy(c.req.header('x-forwarded-for'), trustedProxies) ?? ofSocket(c),
    // A header cannot hold NUL, but Latin-1 control characters are of no use to anybody either.
    userAgent: agent.replaceAll(/[^\x20-\x7e]/g, '').slice(0, MAX_USER_AGENT),
  }
}

/**
 * Each proxy appends the address that it saw, so with n trusted proxies the n-th from the right is the client's;
 * everything further left is the client's own invention. Without trusted proxies the header means nothing.
 */
export function namedByProxy(header: string | undefined, trustedProxies: number): string | undefined {
  if (!header || trustedProxies === 0) return undefined
  const named = header.split(',').at(-trustedProxies)?.trim() ?? ''
  return isIP(named) ? named : undefined
}

/** The key that limits count by. Whoever has one IPv6 address has a whole /64 of them. */
export function limitKey(address: string | undefined): string {
  if (address === undefined || !isIPv6(address)) return address ?? 'within'
  const [head = '', tail] = address.split('::')
  const front = head.split(':').filter(Boolean)
  const back = tail?.split(':').filter(Boolean) ?? []
  const groups =
    tail === undefined ? front : [...front, ...Array(8 - front.length - back.length).fill('0'), ...back]
  return groups.slice(0, 4).join(':')
}

/** As @hono/node-server hands the connection over. */
function ofSocket(c: AuthContext): string | undefined {
  const env = c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined
  return env?.incoming?.socket?.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '')
}
