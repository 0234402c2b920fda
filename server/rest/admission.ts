import type { ServerResponse } from 'node:http'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { Context } from 'hono'
import type { Admission } from '#server/http/admission.ts'
import type { Gate } from '#server/http/fair-gate.ts'
import type { CallerEnv } from '#server/tokens/authenticate.ts'
import type { Reply } from './response.ts'

/** Lets a question to the database begin when it is its turn. Errors: Busy. */
type Admit = (c: Context<CallerEnv>, work: () => Promise<Reply>) => Promise<Reply>

/** Who stands in which line, and for whom: pages for their reader, visitors by address, members by account. */
export function createAdmit(admission: Admission): Admit {
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
  return async (c, work) => {
    const { gate, client } = lineOf(c)
    const isVisitor = gate === admission.visitorQueries && client !== undefined
    const reply = await gate.run(client, isVisitor ? inTurn(work) : work, () => c.req.raw.signal)
    const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse }
    const address = admission.clientOf(c)
    if (client !== undefined && address !== undefined && outgoing)
      countAnswer(address, reply.body?.length ?? 0, outgoing)
    return reply
  }
}

/**
 * Before the work, the event loop goes round once: between two questions of one client, refused ones too, everybody
 * else is heard. Without it a client's whole line is read and refused at once.
 */
const inTurn = (work: () => Promise<Reply>) => async (): Promise<Reply> => {
  await nextRound()
  return work()
}

/** Shorter ones are not worth counting: the kernel takes them off our hands. */
const LONG = 256 * 1024
/** Two of the longest answers that there are. */
const MOST_PER_CLIENT = 64 * 1024 * 1024
const MOST = 256 * 1024 * 1024

interface Sending {
  client: string
  size: number
  answer: ServerResponse
}

/**
 * Bounds the answers that their clients have not read yet, in characters or bytes. Whoever reads slowly, or not at all,
 * keeps nobody from asking, and costs no more memory than this: of too much, what was begun first is cut off. Nothing is
 * refused, because the answer may tell of a change that has been made.
 */
function createLongAnswers(): (client: string, size: number, answer: ServerResponse) => void {
  /** In the order in which they were begun. */
  const underWay = new Set<Sending>()

  /** The last one stays, however long it is. */
  const cut = (limit: number, sent: readonly Sending[]) => {
    let size = sent.reduce((sum, each) => sum + each.size, 0)
    for (const first of sent.slice(0, -1)) {
      if (size <= limit) return
      size -= first.size
      underWay.delete(first)
      first.answer.destroy()
    }
  }

  return function countAnswer(client, size, answer) {
    if (size <= LONG || answer.destroyed) return
    const sending = { client, size, answer }
    underWay.add(sending)
    answer.once('close', () => underWay.delete(sending))
    const own = [...underWay].filter((each) => each.client === client)
    cut(MOST_PER_CLIENT, own)
    cut(MOST, [...underWay])
  }
}
