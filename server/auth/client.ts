import { clientAddress, socketAddressOf } from '#server/http/client-address.ts'
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
    address: clientAddress(
      { forwardedFor: c.req.header('x-forwarded-for'), socketAddress: socketAddressOf(c.env) },
      trustedProxies,
    ),
    // A header cannot hold NUL, but Latin-1 control characters are of no use to anybody either.
    userAgent: agent.replaceAll(/[^\x20-\x7e]/g, '').slice(0, MAX_USER_AGENT),
  }
}
