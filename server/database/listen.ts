import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { DatabaseUnavailable, type Driver, type Loss } from './port.ts'

/** By this name a running service is known in pg_stat_activity: it listens as long as it runs. */
export const LISTENER = 'walking-together listen'
const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 2_000
const CONNECT_TIMEOUT_MS = 3_000
/** Nothing may be said on this connection for days: only a question shows that the network still carries it. */
const HEARTBEAT_MS = 2_000
/** A process that was busy itself looks once more whether the answer has come meanwhile. */
const LOOK_AGAIN_MS = 1_000

interface Subscriber {
  onPayload: (payload: string) => void
  onGap: () => void
  onLost: (loss: Loss) => void
}

/**
 * One connection that listens on every channel that somebody wants to hear, made anew whenever it breaks. Made with the
 * first listener, and closed with the last.
 * @param onSilence called when the network carries nothing any more
 */
export function openListener(url: string, log: Logger, onSilence: () => void): Driver['listen'] {
  const channels = new Map<string, Set<Subscriber>>()
  let client: pg.Client | undefined
  let isLost = false
  /** One change at a time. */
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }
  const everybody = () => [...channels.values()].flatMap((subscribers) => [...subscribers])

  async function connect(): Promise<pg.Client> {
    const next = await connectTo(url, [...channels.keys()], ({ channel, payload = '' }) => {
      for (const subscriber of channels.get(channel) ?? []) subscriber.onPayload(payload)
    })
    void keepAlive(next, onSilence)
    next.once('end', () => {
      if (client === next) void listenAgain()
    })
    return next
  }

  /** Tries until it succeeds, ever more slowly, for as long as somebody wants to hear. */
  async function listenAgain(): Promise<void> {
    client = undefined
    isLost = true
    log.warn('database notifications lost; listening again')
    for (const subscriber of everybody()) subscriber.onLost({ isServerDown: false })
    // At once, so that a server that is up has hardly any time in which something may be missed.
    for (let delay = 0; ; delay = Math.min(delay * 2 || FIRST_RETRY_MS, LONGEST_RETRY_MS)) {
      await pause(delay)
      if (channels.size === 0) break
      const next = await connect().catch((error: unknown) => {
        for (const subscriber of everybody()) subscriber.onLost({ isServerDown: isServerDown(error) })
      })
      if (!next) continue
      client = next
      break
    }
    isLost = false
    if (channels.size === 0) await hangUp()
    for (const subscriber of everybody()) subscriber.onGap()
  }

  async function hangUp(): Promise<void> {
    const last = client
    client = undefined
    await last?.end()
  }

  async function subscribe(channel: string, subscriber: Subscriber): Promise<void> {
    if (isLost) throw new Error('The database does not answer')
    const subscribers = channels.get(channel) ?? new Set()
    channels.set(channel, subscribers.add(subscriber))
    if (!client) client = await connect()
    else if (subscribers.size === 1) await client.query(`listen ${client.escapeIdentifier(channel)}`)
  }

  async function unsubscribe(channel: string, subscriber: Subscriber): Promise<void> {
    const subscribers = channels.get(channel)
    if (!subscribers?.delete(subscriber) || subscribers.size > 0) return
    channels.delete(channel)
    if (channels.size === 0) await hangUp()
    else await client?.query(`unlisten ${client.escapeIdentifier(channel)}`).catch(() => undefined)
  }

  return async (channel, onPayload, onGap, onLost = () => undefined) => {
    const subscriber = { onPayload, onGap, onLost }
    await inTurn(() => subscribe(channel, subscriber)).catch(async (error) => {
      await inTurn(() => unsubscribe(channel, subscriber))
      throw new DatabaseUnavailable(error)
    })
    return () => inTurn(() => unsubscribe(channel, subscriber))
  }
}

async function connectTo(
  url: string,
  channels: readonly string[],
  onNotification: (notification: pg.Notification) => void,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: LISTENER,
    pipeline: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  })
  // An error is always followed by the end; without a handler it would end the process.
  client.on('error', () => undefined)
  client.on('notification', onNotification)
  try {
    await client.connect()
    await client.query(channels.map((name) => `listen ${client.escapeIdentifier(name)}`).join('; '))
    return client
  } catch (error) {
    client.connection.stream.destroy()
    throw error
  }
}

/** Asks now and then whether the connection still carries anything, and cuts it when no answer comes. */
async function keepAlive(client: pg.Client, onSilence: () => void): Promise<void> {
  const ending = new AbortController()
  const ended = ending.signal
  client.once('end', () => ending.abort())
  for (;;) {
    const isAnswered = client.query('select 1').then(
      () => true,
      () => false,
    )
    await pauseUnless(ended, HEARTBEAT_MS)
    if (ended.aborted) return
    const late = pauseUnless(ended, LOOK_AGAIN_MS).then(() => false)
    if (await Promise.race([isAnswered, late])) continue
    if (!ended.aborted) onSilence()
    return void client.connection.stream.destroy()
  }
}

const pauseUnless = (ended: AbortSignal, ms: number) =>
  pause(ms, undefined, { signal: ended, ref: false }).catch(() => undefined)

/** Nobody can be served by a server that is not there, or says itself that it does not serve now. */
const isServerDown = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ECONNREFUSED' || error.code === 'ENOENT' || error.code === '57P03')

/**
 * The adapter, with listeners that end when it is closed: nobody is called back by a database that was let go, and no
 * connection of theirs is left behind. What `listen` gives back may be called at any time, and more than once.
 */
export function endListenersOnClose(driver: Driver): Driver {
  const open = new Set<() => Promise<void>>()
  let closing: Promise<void> | undefined
  const close = async () => {
    await Promise.all([...open].map((stop) => stop()))
    await driver.close()
  }
  return {
    transaction: driver.transaction,
    usage: driver.usage,
    async listen(...listening) {
      const stopListening = await driver.listen(...listening)
      let stopping: Promise<void> | undefined
      const stop = () => {
        open.delete(stop)
        stopping ??= stopListening()
        return stopping
      }
      open.add(stop)
      // Closed while the connection was being made.
      if (closing) await stop()
      return stop
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}
