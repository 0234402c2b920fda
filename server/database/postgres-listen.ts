import pg from 'pg'
import type { Logger } from 'pino'

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 10_000

interface Listening {
  url: string
  channel: string
  onPayload: (payload: string) => void
  onGap: () => void
  log: Logger
}

/** Holds one connection that listens on a channel, and makes a new one whenever it breaks. Returns how to stop. */
export async function keepListening(listening: Listening): Promise<() => Promise<void>> {
  let client: pg.Client | undefined
  let stopped = false
  let retry: NodeJS.Timeout | undefined

  const lost = (delay: number, error?: Error) => {
    if (stopped || retry) return
    listening.log.warn({ err: error, channel: listening.channel }, 'database notifications lost; listening again')
    listening.onGap()
    retry = setTimeout(async () => {
      retry = undefined
      await attempt(Math.min(delay * 2, LONGEST_RETRY_MS))
    }, delay)
  }
  const attempt = async (nextDelay: number) => {
    try {
      client = await connect(listening, (error) => lost(FIRST_RETRY_MS, error))
      listening.onGap()
    } catch (error) {
      lost(nextDelay, error as Error)
    }
  }
  client = await connect(listening, (error) => lost(FIRST_RETRY_MS, error))
  return async () => {
    stopped = true
    clearTimeout(retry)
    await client?.end()
  }
}

async function connect({ url, channel, onPayload }: Listening, onLost: (error?: Error) => void): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'walking-together listen', keepAlive: true })
  client.on('error', onLost)
  client.on('end', () => onLost())
  client.on('notification', ({ payload }) => onPayload(payload ?? ''))
  await client.connect()
  await client.query(`listen ${client.escapeIdentifier(channel)}`)
  return client
}
