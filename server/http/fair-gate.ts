/** There is no room for this request, and none in time. Each protocol says so in its own words, with status 503. */
export class Busy extends Error {
  /** Seconds after which it is worth trying again. */
  readonly retryAfter: number
  constructor(retryAfter: number) {
    super('The service is busy. Try again in a moment.')
    this.name = 'Busy'
    this.retryAfter = retryAfter
  }
}

/** A place inside a gate. */
interface Place {
  leave(): void
}

export interface Gate {
  /**
   * Waits for a place. `signal` is asked for only if there is something to wait for, and ends the wait. Calls of this
   * process's own have no client, and need no place.
   * Errors: Busy when none is free in time, or too many wait already; the signal's reason.
   */
  enter(client: string | undefined, signal?: () => AbortSignal | undefined): Promise<Place>
  /** Does the work in a place. */
  run<T>(
    client: string | undefined,
    work: () => Promise<T>,
    signal?: () => AbortSignal | undefined,
  ): Promise<T>
}

export interface GateOptions {
  /** How much may go on at once. */
  places: number
  /** How much of that for one client, so that a newcomer never waits for a crowd of somebody else's. */
  perClient: number
  /** The longest wait, in milliseconds. */
  waitMs: number
  /**
   * How much time inside one client may use in the long run: a share of the clock, after a reserve in milliseconds.
   * Whoever has used it up waits until it has grown again, even if places are free; also when that is too long to wait
   * for, because a refusal at once is only followed by the next attempt.
   */
  budget?: { share: number; reserveMs: number }
}

/** More than one browser, or one school, has open; what waits beyond is a flood. */
const MAX_WAITING_PER_CLIENT = 256
const MAX_WAITING = 4_000
/** Clients that did nothing for so long have no debt worth remembering. */
const FORGET_EVERY_MS = 60_000

/** Where those are who need no place. */
const everywhere: Place = { leave: () => undefined }

interface Client {
  running: number
  waiting: Array<() => void>
  /** Milliseconds used and not yet grown again, at the time of `debtAt` (performance.now()). */
  debt: number
  debtAt: number
}

/**
 * Lets so much go on at once, and gives each client its turn: places go round, so that one client's hundred requests
 * do not stand before another's first. Everything lives in this process.
 */
export function createFairGate({ places, perClient, waitMs, budget }: GateOptions): Gate {
  const clients = new Map<string, Client>()
  /** Those who wait, in the order of their turns: who gets a place and wants more goes to the end. */
  const line = new Set<Client>()
  let free = places
  let waiting = 0
  let forgottenAt = performance.now()
  let wakeUp: NodeJS.Timeout | undefined

  const clientOf = (name: string): Client => {
    const known = clients.get(name)
    if (known) return known
    const client = { running: 0, waiting: [], debt: 0, debtAt: performance.now() }
    clients.set(name, client)
    return client
  }

  const debtOf = (client: Client): number => {
    if (!budget) return 0
    const now = performance.now()
    client.debt = Math.max(0, client.debt - (now - client.debtAt) * budget.share)
    client.debtAt = now
    return client.debt
  }

  /** Milliseconds until the client may go in again, if it has used up its budget. */
  const suspendedMs = (client: Client): number =>
    budget ? Math.max(0, debtOf(client) - budget.reserveMs) / budget.share : 0

  const mayGo = (client: Client) =>
    free > 0 && client.running < perClient && (!budget || suspendedMs(client) === 0)

  const occupy = (client: Client): Place => {
    free--
    client.running++
    const started = performance.now()
    let left = false
    return {
      leave() {
        if (left) return
        left = true
        if (budget) client.debt = debtOf(client) + performance.now() - started
        free++
        client.running--
        admitNext()
        forgetIdle()
      },
    }
  }

  /** Fills what is free, one for each client in turn: a client that goes to the end of the line is met again. */
  const admitNext = () => {
    for (const client of line) {
      if (free === 0) return
      if (!mayGo(client)) continue
      line.delete(client)
      const goIn = client.waiting.shift()
      if (client.waiting.length > 0) line.add(client)
      goIn?.()
    }
    wakeWhenDebtIsPaid()
  }

  const wakeWhenDebtIsPaid = () => {
    if (!budget || wakeUp || free === 0) return
    const soonest = Math.min(...[...line].map(suspendedMs).filter((ms) => ms > 0))
    if (!Number.isFinite(soonest)) return
    wakeUp = setTimeout(() => {
      wakeUp = undefined
      admitNext()
    }, soonest + 1).unref()
  }

  const forgetIdle = () => {
    if (performance.now() - forgottenAt < FORGET_EVERY_MS) return
    forgottenAt = performance.now()
    for (const [name, client] of clients) {
      if (client.running === 0 && client.waiting.length === 0 && debtOf(client) === 0) clients.delete(name)
    }
  }

  const waitInLine = (client: Client, signal: AbortSignal | undefined) =>
    new Promise<Place>((resolve, reject) => {
      const refuse = (reason: unknown) => {
        stepOut()
        client.waiting = client.waiting.filter((entry) => entry !== goIn)
        if (client.waiting.length === 0) line.delete(client)
        reject(reason)
      }
      const onAbort = () => refuse(signal?.reason)
      const timer = setTimeout(() => refuse(busy(client)), waitMs)
      const stepOut = () => {
        waiting--
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const goIn = () => {
        stepOut()
        resolve(occupy(client))
      }
      waiting++
      client.waiting.push(goIn)
      line.add(client)
      signal?.addEventListener('abort', onAbort, { once: true })
      wakeWhenDebtIsPaid()
    })

  const busy = (client: Client) => new Busy(Math.max(1, Math.ceil(suspendedMs(client) / 1000)))

  const enter: Gate['enter'] = async (name, signal) => {
    if (name === undefined) return everywhere
    const client = clientOf(name)
    if (client.waiting.length === 0 && mayGo(client)) return occupy(client)
    if (client.waiting.length >= MAX_WAITING_PER_CLIENT || waiting >= MAX_WAITING) throw busy(client)
    const ending = signal?.()
    ending?.throwIfAborted()
    return waitInLine(client, ending)
  }

  return {
    enter,
    async run(client, work, signal) {
      const place = await enter(client, signal)
      try {
        return await work()
      } finally {
        place.leave()
      }
    },
  }
}
