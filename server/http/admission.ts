import { isIP, isIPv6 } from 'node:net'
import { availableParallelism } from 'node:os'
import type { Context } from 'hono'
import { createFairGate, type Gate } from './fair-gate.ts'

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

/** What a request from within this process brings along in place of a socket: the client whose page is rendered. */
export interface PageBindings {
  pageOf: string | undefined
}

/** How much may go on at once, of what costs more than a look into memory; fair per client. */
export interface Admission {
  /** Pages that are not in the cache. */
  renders: Gate
  /** What pages ask of /rest/v1: apart from the visitors' own questions, so that pages come first. */
  pageQueries: Gate
  /** What visitors ask of /rest/v1 themselves. */
  visitorQueries: Gate
  /** What members and admins ask of /rest/v1; a client here is an account. */
  memberQueries: Gate
  /** Pictures in sizes that are not kept yet. */
  images: Gate
  uploads: Gate
  /** Making and comparing password hashes: bcrypt's cost is meant for those who guess, not for us. */
  passwords: Gate
  /** What counts as the client of a request, or of the page that it is made for; undefined: this process itself. */
  clientOf(c: Context): string | undefined
  /** Whether a request is made for a page that has been admitted. */
  isForPage(c: Context): boolean
}

/**
 * Opens the gates of this process. The numbers are for two processors and the ten connections of the database pool:
 * pages and visitors together leave four to members, sign-ins and files. Who renders a page holds a place in one gate
 * while waiting in another (renders, then page queries), always in that order, so that nobody waits for himself.
 */
export function createAdmission({ trustedProxies }: { trustedProxies: number }): Admission {
  const bindings = (c: Context) => (c.env ?? {}) as Partial<PageBindings>
  return {
    renders: createFairGate({ places: 4, perClient: 2, waitMs: 5_000 }),
    pageQueries: createFairGate({ places: 4, perClient: 3, waitMs: 5_000 }),
    // One heavy question of a client at a time, and in the long run a fifth of one processor.
    visitorQueries: createFairGate({
      places: 2,
      perClient: 1,
      waitMs: 3_000,
      budget: { share: 0.2, reserveMs: 2_000 },
    }),
    memberQueries: createFairGate({ places: 4, perClient: 3, waitMs: 8_000 }),
    images: createFairGate({
      places: Math.max(1, availableParallelism() >> 1),
      perClient: 1,
      waitMs: 10_000,
    }),
    uploads: createFairGate({ places: 16, perClient: 4, waitMs: 10_000 }),
    passwords: createFairGate({ places: 2, perClient: 1, waitMs: 10_000 }),
    clientOf(c) {
      const connection = {
        forwardedFor: c.req.header('x-forwarded-for'),
        socketAddress: socketAddressOf(c.env),
      }
      if ('pageOf' in bindings(c)) return bindings(c).pageOf
      const address = clientAddress(connection, trustedProxies)
      return address && networkOf(address)
    },
    isForPage: (c) => 'pageOf' in bindings(c),
  }
}
