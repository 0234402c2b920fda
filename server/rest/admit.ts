import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { Admission } from '#server/http/admission.ts'
import type { Gate, Place } from '#server/http/fair-gate.ts'
import type { IdentityEnv } from '#server/identity/identify.ts'
import type { Reply } from './response/reply.ts'

/** Lets a question to the database begin when it is its turn. Errors: Busy. */
export type Admit = (work: () => Promise<Reply>) => Promise<Reply>

/** Longer answers keep their place until they are sent: who does not read must not let us hold many of them. */
const HELD_UNTIL_SENT = 256 * 1024

/** Who stands in which line, and for whom: pages for their reader, visitors by address, members by account. */
export function createAdmit(admission: Admission): (c: Context<IdentityEnv>) => Admit {
  const lineOf = (c: Context<IdentityEnv>): { gate: Gate; client: string | undefined } => {
    const { role, claims } = c.var.caller
    const client = admission.clientOf(c)
    if (admission.isForPage(c)) return { gate: admission.pageQueries, client }
    if (role === 'anon') return { gate: admission.visitorQueries, client }
    // The secret key belongs to the owner, whose scripts wait for nobody.
    const account = role === 'authenticated' && client !== undefined ? String(claims.sub) : undefined
    return { gate: admission.memberQueries, client: account }
  }
  return (c) => async (work) => {
    const { gate, client } = lineOf(c)
    const place = await gate.enter(client, () => c.req.raw.signal)
    try {
      const reply = await work()
      leaveWhenSent(c, place, reply)
      return reply
    } catch (error) {
      place.leave()
      throw error
    }
  }
}

function leaveWhenSent(c: Context, place: Place, { body }: Reply): void {
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse }
  place.stopClock()
  const isLong = body !== null && body.length > HELD_UNTIL_SENT
  if (isLong && outgoing && !outgoing.destroyed) outgoing.once('close', place.leave)
  else place.leave()
}
