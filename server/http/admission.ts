import { availableParallelism } from 'node:os'
import type { Context } from 'hono'
import { clientAddress, networkOf, socketAddressOf } from './client-address.ts'
import { createFairGate, type Gate } from './fair-gate.ts'

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
