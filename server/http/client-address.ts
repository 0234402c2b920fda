import { isIP, isIPv6 } from 'node:net'

interface Connection {
  /** The X-Forwarded-For header as it came. */
  forwardedFor: string | undefined
  /** The address at the other end of the socket; undefined for a call from within this process. */
  socketAddress: string | undefined
}

/** The part of @hono/node-server's bindings that says who is at the other end. */
interface SocketBindings {
  incoming?: { socket?: { remoteAddress?: string | undefined } }
}

/** The socket's address out of what a Hono context holds as `env`; undefined for a call from within this process. */
export const socketAddressOf = (env: unknown): string | undefined =>
  (env as SocketBindings | undefined)?.incoming?.socket?.remoteAddress

/**
 * The client's address: the one place that decides it, for limits, sessions, admission and the audit log. An IPv4
 * address that came through an IPv6 socket or header (`::ffff:192.0.2.1`) is that IPv4 address.
 * @param trustedProxies how many proxies of our own stand in front (TRUST_PROXY)
 */
export function clientAddress(
  { forwardedFor, socketAddress }: Connection,
  trustedProxies: number,
): string | undefined {
  const address = namedByProxy(forwardedFor, trustedProxies) ?? socketAddress
  return address === undefined ? undefined : unmapped(address)
}

/**
 * Each proxy appends the address that it saw, so with n trusted proxies the n-th from the right is the client's;
 * everything further left is the client's own invention. Without trusted proxies the header means nothing.
 */
function namedByProxy(header: string | undefined, trustedProxies: number): string | undefined {
  if (!header || trustedProxies === 0) return undefined
  const named = header.split(',').at(-trustedProxies)?.trim() ?? ''
  return isIP(named) ? named : undefined
}

/** Calls from within this process that are made for nobody in particular. */
const WITHIN = 'within'

/** What counts as one client: an IPv4 address, or the /64 that whoever has one IPv6 address has whole. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return WITHIN
  const plain = unmapped(address)
  return isIPv6(plain) ? groupsOf(plain).slice(0, 4).join(':') : plain
}

function unmapped(address: string): string {
  if (!isIPv6(address)) return address
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff'
  if (!isMapped) return address
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.')
}

/** The eight groups of an IPv6 address, in lower case and without leading zeros, however it is written. */
function groupsOf(address: string): string[] {
  // The standard's own serialiser: it knows every abbreviation, and dotted endings.
  const { hostname } = new URL(`http://[${address.replace(/%.*/s, '')}]`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const front = head.split(':').filter(Boolean)
  const back = tail?.split(':').filter(Boolean) ?? []
  return tail === undefined ? front : [...front, ...Array(8 - front.length - back.length).fill('0'), ...back]
}
