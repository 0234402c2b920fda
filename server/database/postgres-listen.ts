import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { DatabaseUnavailable } from './errors.ts'

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 10_000
const CONNECT_TIMEOUT_MS = 5_000
/** Nothing is ever sent on this connection, so only probes notice that it has silently gone. */
const PROBE_AFTER_MS = 10_000

interface Listening {
  url: string
  channel: string
  onPayload: (payload: string) => void
  onGap: () => void
  log: Logger
}

interface Listener {
  client: pg.Client
  /** Resolves when the connection is gone, whatever the reason. */
  gone: Promise<void>
}

/**
 * Holds one connection that listens on a channel, and makes a new one whenever it breaks; `onGap` tells each time that
 * it is back. Returns how to stop. Errors: DatabaseUnavailable when the first connection fails.
 */
export async function keepListening(listening: Listening): Promise<() => Promise<void>> {
  const stopped = new AbortController()
  let current = await connect(listening).catch((error) => {
    throw new DatabaseUnavailable(error)
  })
  const watching = watch()
  return async () => {
    stopped.abort()
    await current.client.end()
    await watching
  }

  async function watch(): Promise<void> {
    for (;;) {
      await current.gone
      if (stopped.signal.aborted) return
      listening.log.warn({ channel: listening.channel }, 'database notifications lost; listening again')
      const next = await connectAgain(listening, stopped.signal)
      if (!next) return
      current = next
      // Stopped while the connection was being made: `current` was still the old one then.
      if (stopped.signal.aborted) return void (await next.client.end())
      listening.onGap()
    }
  }
}

/** Tries until it succeeds, ever more slowly; undefined when told to stop. */
async function connectAgain(listening: Listening, stop: AbortSignal): Promise<Listener | undefined> {
  for (let delay = FIRST_RETRY_MS; ; delay = Math.min(delay * 2, LONGEST_RETRY_MS)) {
    await pause(delay, undefined, { signal: stop }).catch(() => undefined)
    if (stop.aborted) return undefined
    const listener = await connect(listening).catch(() => undefined)
    if (listener) return listener
  }
}

async function connect({ url, channel, onPayload }: Listening): Promise<Listener> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'walking-together listen',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
  })
  const gone = new Promise<void>((resolve) => client.once('end', resolve))
  // An error is always followed by the end; without a handler it would end the process.
  client.on('error', () => undefined)
  client.on('notification', ({ payload }) => onPayload(payload ?? ''))
  try {
    await client.connect()
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
  return { client, gone }
}
