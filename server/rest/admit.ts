import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { Admission } from '#server/http/admission.ts'
import type { Gate } from '#server/http/fair-gate.ts'
import type { CallerEnv } from '#server/tokens/authenticate.ts'
import { createLongAnswers } from './long-answers.ts'
import type { Reply } from './response/reply.ts'

/** Lets a question to the database begin when it is its turn. Errors: Busy. */
export type Admit = (work: () => Promise<Reply>) => Promise<Reply>

/** Who stands in which line, and for whom: pages for their reader, visitors by address, members by account. */
export function createAdmit(admission: Admission): (c: Context<CallerEnv>) => Admit {
  const countAnswer = createLongAnswers()
  const lineOf = (c: Context<CallerEnv>): { gate: Gate; client: string | undefined } => {
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
    const reply = await gate.run(client, work, () => c.req.raw.signal)
    const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse }
    const address = admission.clientOf(c)
    if (client !== undefined && address !== undefined && outgoing)
      countAnswer(address, reply.body?.length ?? 0, outgoing)
    return reply
  }
}
