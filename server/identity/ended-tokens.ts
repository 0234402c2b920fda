import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '#server/database/port.ts'

/** Access tokens that are not believed any more although they have not expired: their session or account has ended. */
export interface EndedTokens {
  /** Errors: DatabaseUnavailable, when the database has to be asked. */
  includes(claims: Readonly<Record<string, unknown>>): Promise<boolean>
}

/** About 15 MB. Beyond it the database is asked for each token instead. */
const MAX_KEPT = 100_000
const RETRY_MS = 1_000
const CHANNEL = 'ended_tokens'
/** A session or an account, and for how many seconds its tokens are refused; 0: believed again. */
const ENTRY = /([\da-f-]{36}):(\d+)/g

const READ = `select id, ceil(extract(epoch from until - now()))::int as seconds from platform.ended_tokens
  where until > now() limit $1`
const ASK = `select exists (select from platform.ended_tokens
  where until > now() and id::text in ($1, $2)) as ended`

/**
 * Keeps the list that the database's triggers write, as notifications tell of it: no token costs a question. When
 * notifications may have been missed, and until the list has been read again, the database is asked about each token.
 * @param lifetimeSeconds of the tokens that this process signs
 */
export async function watchEndedTokens(
  db: Database,
  lifetimeSeconds: number,
  log: Logger,
): Promise<EndedTokens> {
  /** When each is forgotten, by performance.now(). */
  const ended = new Map<string, number>()
  /** What was told while the list was being read. */
  let meanwhile: string[] = []
  let isListening = true
  let isReading = false
  let isRead = false

  const note = (id: string, seconds: number) => {
    if (seconds > 0) ended.set(id, performance.now() + seconds * 1000)
    else ended.delete(id)
  }
  const apply = (payload: string) => {
    for (const [, id = '', seconds] of payload.matchAll(ENTRY)) note(id, Number(seconds))
    if (ended.size <= MAX_KEPT) return
    for (const [id, until] of ended) if (until < performance.now()) ended.delete(id)
  }
  const read = async (): Promise<void> => {
    const { rows } = await db.asOwner(
      'ended sessions and accounts',
      (tx) => tx.query<{ id: string; seconds: number }>(READ, [MAX_KEPT + 1]),
      { single: true },
    )
    ended.clear()
    for (const { id, seconds } of rows) note(id, seconds)
    for (const payload of meanwhile) apply(payload)
  }
  /** Reads the list until it is whole; when notifications are lost meanwhile, their return begins it again. */
  const readAll = async (): Promise<void> => {
    isRead = false
    if (isReading) return
    isReading = true
    while (isListening && !isRead) {
      meanwhile = []
      // Set first: a message that there is too much to tell, while we read, asks for another reading.
      isRead = true
      await read().catch(async () => {
        isRead = false
        await pause(RETRY_MS, undefined, { ref: false })
      })
    }
    isReading = false
    if (ended.size > MAX_KEPT) log.warn('so many sessions have ended that the database is asked about each')
  }
  const onPayload = (payload: string) => {
    if (payload === '') return void readAll()
    if (isReading) meanwhile.push(payload)
    else apply(payload)
  }
  const onGap = () => {
    isListening = true
    void readAll()
  }
  const onLost = () => {
    isListening = false
    isRead = false
  }
  const isCertain = () => isListening && isRead && !isReading && ended.size <= MAX_KEPT

  await db.asOwner('life of access tokens', (tx) =>
    tx.query('update platform.access_token_life set seconds = $1 where seconds < $1', [lifetimeSeconds]),
  )
  // Listening comes first, so that nothing can fall between the reading and the listening.
  await db.listen(CHANNEL, onPayload, onGap, onLost)
  await readAll()
  return {
    async includes({ sub, session_id: session }) {
      const ids = [String(session), String(sub)]
      if (isCertain()) return ids.some((id) => (ended.get(id) ?? 0) > performance.now())
      const { rows } = await db.asOwner(
        'is a session over?',
        (tx) => tx.query<{ ended: boolean }>(ASK, ids, { repeated: true }),
        { single: true },
      )
      return rows[0]?.ended ?? true
    },
  }
}
